//! Plain games, read in one go, against the same games read token by token: whatever the first takes, both must say the same of.

use std::path::{Path, PathBuf};

use _core::draws::Profile;
use _core::game::{Judge, Judged};
use _core::record::GameRecord;
use _core::segment::{Buffers, Segmenter, Start};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_data");

/// All that is known of a game, as text. (The keys by which repetitions are found are made only where they are wanted.)
fn shown(game: &GameRecord) -> String {
    let plies: Vec<_> = game.plies.iter().map(|ply| (ply.start, ply.end, ply.mv)).collect();
    let place = (game.byte_offset, game.byte_length, game.line, game.movetext, game.rules);
    let line = (plies, game.details, game.sans, game.notes, game.rest, game.plies_written);
    let tags: Vec<_> = game.tags.pairs.iter().map(|tag| (&tag.name, &tag.value, tag.token)).collect();
    format!(
        "{place:?}\n{tags:?}\n{line:?}\n{:?}\n{:?}\n{:?}",
        (game.start_fen, game.final_fen),
        (game.ending, game.firsts),
        game.findings
    )
}

/// What one judge says of a game, and what one that wants only findings does.
struct Judges {
    all: Judge,
    findings: Judge,
}

impl Judges {
    fn new() -> Judges {
        let judge = |texts| Judge::new(Profile::fide_2023(), texts, texts);
        Judges { all: judge(true), findings: judge(false) }
    }
}

/// Reads a text both ways; how many of its games were plain, and how many of these clean.
fn compare(text: &[u8], about: &str) -> (usize, usize) {
    let (mut plain, mut token_by_token) = (Judges::new(), Judges::new());
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::new(text, 0, Start::default(), &mut buffers);
    let (mut taken, mut cleared) = (0, 0);
    loop {
        let at = segmenter.position();
        let mut found = None;
        let mut clean = None;
        let mut next = None;
        if !at.glued && !at.too_long {
            next = plain.all.plain_game(text, 0, at, 0, &mut |judged| match judged {
                Judged::Game(game) => found = Some(shown(game)),
                Judged::Clean(_) => panic!("{about}: texts are wanted"),
            });
            let again = plain.findings.plain_game(text, 0, at, 0, &mut |judged| match judged {
                Judged::Game(_) => {}
                Judged::Clean(game) => clean = Some(game),
            });
            assert_eq!(next, again, "{about}: plain or not, whatever is wanted");
        }
        let Some(region) = segmenter.next_region() else { break };
        let Some(next) = next else { continue };
        assert!(region.is_game, "{about}");
        token_by_token.all.game(&region, 0, &mut |judged| {
            let Judged::Game(game) = judged else { panic!("{about}: texts are wanted") };
            assert_eq!(found.as_deref(), Some(&*shown(game)), "{about}");
            if let Some(clean) = clean {
                assert!(game.findings.is_empty(), "{about}");
                assert_eq!((Some(clean.result), clean.reason), (game.ending.result, game.ending.reason), "{about}");
                assert_eq!((clean.plies as usize, clean.bytes as u64), (game.plies.len(), game.byte_length), "{about}");
                assert_eq!(game.ending.unclaimed_draw, Some(false), "{about}");
            }
        });
        assert_eq!(next, segmenter.position(), "{about}");
        taken += 1;
        cleared += usize::from(clean.is_some());
    }
    (taken, cleared)
}

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
