//! Plain games, read in one go, against the same games read token by token: whatever the first takes, both say the same of.

use _core::game::{Judge, Judged};
use _core::optional::Optional;
use _core::profile::Profile;
use _core::record::GameRecord;
use _core::region::Lines;
use _core::segment::{Buffers, Segmenter, Start};

pub fn check(data: &[u8]) {
    // Games at the very end are not plain, as what follows them decides; so another one follows.
    let mut text = data.to_vec();
    text.extend_from_slice(b"\n\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n\n1. e4 e5 2. Nf3 *\n");
    compare(&text, "");
}

/// All that is known of a game, as text. (The keys by which repetitions are found are made only where they are wanted.)
fn shown(game: &GameRecord) -> String {
    let plies: Vec<_> = game.plies.iter().map(|ply| (ply.start, ply.end, ply.mv)).collect();
    let place = (game.byte_offset, game.byte_length, game.line, game.movetext, game.rules);
    let line = (plies, game.details, game.sans, game.notes, game.rest, game.plies_written);
    let tags: Vec<_> = game.tags.pairs.iter().map(|tag| (&tag.name, &tag.value, tag.token)).collect();
    format!(
        "{place:?}\n{tags:?}\n{line:?}\n{:?}\n{:?}\n{:?}",
        (game.start_fen, game.final_fen),
        (game.ending, game.firsts()),
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
        let judge = |texts| Judge::new(Profile::fide_2023(), texts, texts, Optional::default());
        Judges { all: judge(true), findings: judge(false) }
    }
}

/// Reads a text both ways; how many of its games were plain, and how many of these clean.
pub fn compare(text: &[u8], about: &str) -> (usize, usize) {
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
            next = plain.all.plain_game(text, 0, at.at, &mut Lines::from(text, at), 0, &mut |judged| match judged {
                Judged::Game(game) => found = Some(shown(game)),
                Judged::Clean(_) => panic!("{about}: texts are wanted"),
            });
            let again = plain.findings.plain_game(text, 0, at.at, &mut Lines::from(text, at), 0, &mut |judged| match judged {
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
                let why_drawn = game.ending.reason.filter(|_| clean.result == "1/2-1/2");
                assert_eq!((Some(clean.result), None), (game.ending.result, why_drawn), "{about}");
                assert_eq!((clean.plies as usize, clean.bytes as u64), (game.plies.len(), game.byte_length), "{about}");
                assert_eq!(game.ending.unclaimed_draw, Some(false), "{about}");
            }
        });
        let next = Start { at: next, line: Lines::from(text, at).at(next), ..at };
        assert_eq!(next, segmenter.position(), "{about}");
        taken += 1;
        cleared += usize::from(clean.is_some());
    }
    (taken, cleared)
}
