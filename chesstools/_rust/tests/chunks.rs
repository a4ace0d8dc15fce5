//! However a text is fed and cut into chunks, their regions are those of the text.

#[path = "../fuzz/checks/mod.rs"]
mod checks;

use _core::limits::Limits;
use checks::chunks::{check_starts, chunked, whole};

fn check(text: &str, limits: Limits) -> usize {
    let wanted = whole(text.as_bytes(), limits);
    if text.len() < 2000 {
        check_starts(text.as_bytes(), limits);
    }
    let mut most = 0;
    for (block_bytes, chunk_bytes) in [(1, 30), (7, 100), (64, 10), (1000, 300), (100_000, 1)] {
        let (found, chunks) = chunked(text.as_bytes(), block_bytes, chunk_bytes, limits);
        assert_eq!(found, wanted, "blocks of {block_bytes}, chunks of {chunk_bytes}: {text}");
        most = most.max(chunks);
    }
    most
}

const GAME: &str = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5 2. Nf3 {one} *\n\n";

/// As Lichess writes games: all on one line.
const COMMENTED: &str = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] } 1/2-1/2\n\n\n";

#[test]
fn games_are_chunks() {
    assert_eq!(check(&GAME.repeat(50), Limits::STATED), 50);
    assert_eq!(check(&GAME.replace('\n', "\r\n").repeat(50), Limits::STATED), 50);
    assert_eq!(check(&COMMENTED.repeat(50), Limits::STATED), 50);
}

#[test]
fn doubtful_places() {
    for between in [
        "1. e4 {never closed\n\n1-0\n\n",
        // A tag pair without a name is no beginning, wherever reading begins.
        " 1-0\n\n{ { a } b } \n\n[ \"]\n}\n\n",
        "prose\n\n[ \"]\n\n1. e4 *\n\n",
        "1. e4 {never closed\n\n[One \"tag\"]\n\n 1. d4 *\n\n",
        "1. e4 } *\n\n",
        "1. e4 {never closed *\n\n[Event \"}\"]\n[Site \"b\"]\n\n1. d4 *\n\n",
        "1. e4 {never closed *\n\n[Event \"a\"]\n[Site \"}\"]\n\n1. d4 *\n\n",
        "% 1-0\n\n",
        "; 1-0\n\n",
        "[Event \"a\nb\"]\n\n1. e4 (1. d4 *\n\n",
        "no game\n\n1-0\n\n",
        "1-0\n{a comment}\n\n",
        "[Event \"tags alone\"]\n\n*\n\n",
        "[Event \"a\"]\n\n",
        "1. e4 *\n[Event \"glued\"]\n[Site \"c\"]\n\n1. d4\n[Event \"glued too\"]\n\n",
        "{ {\n[Event \"quoted\"]\n[Site \"c\"]\n} }\n\n*\n\n",
        "{never closed\n\n1. e4 { [%clk 0:03:00] } 1... e5 *\n\n",
        "1. e4 { { a } 1... e5 *\n\n}\n\n",
        "1. e4 ; { a } *\n\n",
        "; { a\n1. e4 } *\n\n",
        "% 1. e4 { a } *\n\n",
        "[Event \"a { b\n1. e4 } c\"] *\n\n",
        "[Event \"a { b\n1. e4 } *\n\nc\"]\n\n",
        "1. e4 { a } [White \"b\"] *\n\n",
        "1. e4 { a } {b *\n\n}\n\n",
        "1. e4 { a } } *\n\n",
        "1. e4 *\n\n\n  [Event \"a \"quoted\" name\"]\n\n1. c4 *\n\n",
    ] {
        let text = [GAME, between, GAME, between, between, GAME, GAME].concat();
        check(&text, Limits::STATED);
        check(&text.repeat(20), Limits::STATED);
    }
}

#[test]
fn tokens_may_be_too_many_right_before_a_game() {
    let limits = Limits { game_tokens: 1000, ..Limits::STATED };
    for words in 990..1010 {
        let text = [GAME, &"x ".repeat(words), "*\n\n", &GAME.repeat(5), &"x ".repeat(words), "*\n\n", GAME].concat();
        for chunk_bytes in [1, 100, 1500, 3000] {
            let (found, _) = chunked(text.as_bytes(), 64, chunk_bytes, limits);
            assert_eq!(found, whole(text.as_bytes(), limits), "{words} words, chunks of {chunk_bytes}");
        }
    }
}

#[test]
fn limits_are_reached_in_any_chunk() {
    let limits = Limits { comment: 200, tag_line: 80, inline_tag: 40, nested_comment: 30, blank: 5, game: 400, game_tokens: 60 };
    for part in ["1. e4 {never closed ", "1. e4 e5 2. Nf3 Nc6 ", "word ", "\0\0\0\0\0\0\0", "[Event \"a\"] ", "( ", "\n\n\n\n"] {
        let text = [GAME, &part.repeat(300), "\n\n", GAME, GAME, &part.repeat(40), " *\n\n", GAME].concat();
        check(&text, limits);
    }
}
