//! Plain games, read in one go, against the same games read token by token: the samples, as they are and spoilt.

use std::path::{Path, PathBuf};

#[allow(dead_code)]
#[path = "../fuzz/checks/plain.rs"]
mod plain;

use _core::board::Board;
use _core::san;
use _core::types::{MoveKind, MoveList};
use plain::compare;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_data");

fn samples(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("sample_data is there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            samples(&path, found);
        } else if path.extension().is_some_and(|end| end == "pgn") {
            found.push(path);
        }
    }
    found.sort();
}

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn samples_are_read_alike() {
    let mut files = Vec::new();
    samples(Path::new(SAMPLES), &mut files);
    let (mut taken, mut cleared) = (0, 0);
    for file in files {
        let text = std::fs::read(&file).expect("readable");
        let (plain, clean) = compare(&text, &file.display().to_string());
        (taken, cleared) = (taken + plain, cleared + clean);
    }
    assert!(taken > 300 && cleared > 100, "{taken} plain games, {cleared} clean ones");
}

/// Games with one small fault each: where the fast way takes them, it must see the fault.
#[test]
fn spoilt_games_are_read_alike() {
    let text = std::fs::read(Path::new(SAMPLES).join("games/historic_classics.pgn")).expect("readable");
    let signs = b"abcdefgh12345678KQRBNOx+#=-.!?{}()[]\"\\$%;*~ \n\r\t\0\xc3\xa9\xff/01";
    let words: [&str; 14] =
        ["+", "#", "x", " ", "\n\n", "1-0", "1/2-1/2", "Nf3", "O-O", "e8=Q", "{ [%clk 0:00:01] }", "{x}", "...", "12."];
    let mut dice = Dice(1);
    let mut taken = 0;
    for round in 0..300 {
        let start = dice.below(text.len() / 2);
        let mut spoilt = text[start..].to_vec();
        for _ in 0..20 {
            let at = dice.below(spoilt.len());
            match dice.below(5) {
                0 => spoilt[at] = signs[dice.below(signs.len())],
                1 => drop(spoilt.remove(at)),
                2 => spoilt.insert(at, signs[dice.below(signs.len())]),
                3 => drop(spoilt.splice(at..at, words[dice.below(words.len())].bytes())),
                _ => {
                    // Another word of the text in the place of one.
                    let from = dice.below(spoilt.len().saturating_sub(8).max(1));
                    let word: Vec<u8> = spoilt[from..].iter().copied().take(1 + dice.below(7)).collect();
                    let end = spoilt.len().min(at + word.len());
                    spoilt[at..end].copy_from_slice(&word[..end - at]);
                }
            }
        }
        taken += compare(&spoilt, &format!("round {round}")).0;
    }
    assert!(taken > 1000, "{taken} plain games");
}

/// Random walks, rich in checks, promotions, castling and captures en passant; the last move of some is illegal or badly marked.
#[test]
fn walks_are_read_alike() {
    let mut dice = Dice(3);
    let (mut text, mut games, mut wrong) = (String::new(), 0, 0);
    for round in 0..600 {
        let mut board = Board::start(false);
        text.push_str("[Event \"?\"]\n[Site \"?\"]\n\n");
        let mut plies = 20 + dice.below(200);
        while plies > 0 {
            let mut moves = MoveList::new();
            let last = plies == 1 && round % 2 == 1;
            match last {
                true => board.pseudo_legal_moves(!0, !0, &mut moves),
                false => board.legal_moves(!0, !0, &mut moves),
            }
            if last && moves.iter().any(|mv| !board.is_legal(*mv)) {
                moves.retain(|mv| !board.is_legal(*mv));
                wrong += 1;
            }
            let gives_check = |mv| {
                let mut after = board.clone();
                after.play(mv);
                after.is_check()
            };
            if dice.below(3) == 0 && moves.iter().any(|mv| gives_check(*mv)) {
                moves.retain(|mv| gives_check(*mv));
            }
            if moves.iter().any(|mv| mv.kind != MoveKind::Plain || mv.promotion.is_some()) && dice.below(2) == 0 {
                moves.retain(|mv| mv.kind != MoveKind::Plain || mv.promotion.is_some());
            }
            if moves.is_empty() {
                break;
            }
            let mv = moves[dice.below(moves.len())];
            let mut word = san::san(&board, mv);
            if last && dice.below(3) == 0 {
                word = match word.strip_suffix(['+', '#']) {
                    Some(body) => body.to_owned(),
                    None => word + "+",
                };
            }
            if board.turn == _core::types::Color::White {
                text.push_str(&format!("{}. ", board.fullmove));
            }
            text.push_str(&word);
            text.push(if plies % 13 == 0 { '\n' } else { ' ' });
            board.play(mv);
            plies -= 1;
            if last {
                break;
            }
        }
        text.push_str("*\n\n");
        games += 1;
    }
    text.push_str("[Event \"?\"]\n\n1. e4 *\n");
    let taken = compare(text.as_bytes(), "walks").0;
    assert!(taken > games / 3 && taken < games && wrong > 100, "{taken} plain of {games} games, {wrong} illegal");
}
