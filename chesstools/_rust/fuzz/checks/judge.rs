//! Games are judged alike by every lane that leads through the core, and each move alike by the fast path and the careful one.

use _core::board::Board;
use _core::facts::Facts;
use _core::game::{Judge, Judged, Outcome};
use _core::lexer::Kind;
use _core::optional::Optional;
use _core::plain::clean::Clean;
use _core::profile::Profile;
use _core::record::GameRecord;
use _core::region::Lines;
use _core::segment::{count_lines, Buffers, Region, Segmenter, Start};
use _core::start::read_start;
use _core::tags::{read_tags, Tags};

use super::step::step;

/// Games at the very end of a text are read with more care, so each text is read with this behind it, too.
const MORE: &[u8] = b"\n\n[Event \"more\"]\n[Site \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n";

pub fn check(data: &[u8]) {
    check_text(data);
    check_text(&[data, MORE].concat());
}

fn check_text(data: &[u8]) {
    // What is wanted of a game decides on which lane it is judged: the first is that of the verdicts alone, the last that of
    // everything.
    let lanes = [(false, false), (true, false), (false, true), (true, true)];
    let mut judges = lanes.map(|(games, plies)| Judge::new(Profile::fide_2023(), games, plies, Optional::default()));
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::new(data, 0, Start::default(), &mut buffers);
    loop {
        let begin = segmenter.position();
        let Some(region) = segmenter.next_region() else { break };
        let wanted = match region.is_game {
            true => verdict(&mut judges[0], &region),
            false => {
                judges[0].quarantine(&region);
                None
            }
        };
        for judge in &mut judges {
            let context = || region.data().escape_ascii().to_string();
            if region.is_game {
                assert_eq!(verdict(judge, &region), wanted, "{}", context());
            }
            if !begin.glued && !begin.too_long {
                check_plain(judge, &region, begin, wanted.as_ref());
            }
        }
        if region.is_game {
            check_moves(&region);
        }
    }
}

/// All that must not depend on the lane.
#[derive(Debug, PartialEq)]
struct Verdict {
    clean: Clean,
    /// Why it was drawn; a game that is only counted does not say.
    drawn: Option<&'static str>,
    text: Vec<String>,
}

impl Verdict {
    fn of(game: &GameRecord) -> Verdict {
        let findings = game.findings.iter().map(|finding| format!("{finding:?}"));
        let mut text = vec![
            format!("{:?} {:?}, line {}", game.ending, game.firsts(), game.line),
            format!("{} legal, {} bad, {:?}, {:?}", game.plies.len(), game.rest.len(), game.movetext, game.rules),
        ];
        text.extend(findings);
        let result = game.ending.result.unwrap_or_default();
        let (plies, bytes) = (game.plies_written, game.byte_length as usize);
        let drawn = game.ending.reason.filter(|_| result == "1/2-1/2");
        Verdict { clean: Clean { result, plies, bytes }, drawn, text }
    }
}

/// None for a variant that is judged elsewhere.
fn verdict(judge: &mut Judge, region: &Region) -> Option<Verdict> {
    let mut found = None;
    let outcome = judge.game(region, 0, &mut |judged| match judged {
        Judged::Clean(clean) => panic!("{clean:?} on the long way"),
        Judged::Game(game) => found = Some(Verdict::of(game)),
    });
    assert_eq!(found.is_none(), outcome == Outcome::Elsewhere);
    found
}

/// The lane of plain games, if the region is one for it, comes to the same, and ends at the same place.
fn check_plain(judge: &mut Judge, region: &Region, begin: Start, wanted: Option<&Verdict>) {
    let context = || region.data().escape_ascii().to_string();
    let mut seen = false;
    let mut lines = Lines::from(region.text, begin);
    let next = judge.plain_game(region.text, region.base, begin.at, &mut lines, 0, &mut |judged| {
        seen = true;
        let wanted = wanted.unwrap_or_else(|| panic!("no game for the lane of plain games: {}", context()));
        match judged {
            Judged::Clean(clean) => {
                assert_eq!((clean, None, 2), (wanted.clean, wanted.drawn, wanted.text.len()), "{wanted:?}: {}", context());
            }
            Judged::Game(game) => assert_eq!(&Verdict::of(game), wanted, "{}", context()),
        }
    });
    assert_eq!(next.is_some(), seen);
    if let Some(next) = next {
        let line = region.line + count_lines(region.data());
        assert_eq!((next, lines.at(next)), (region.end, line), "{}", context());
    }
}

/// Every move of a game, in variations too. What is not legal is passed over, and the line goes on.
fn check_moves(region: &Region) {
    let mut facts = Facts::of(region);
    let mut tags = Tags::default();
    read_tags(&mut facts, region.tokens, region.glued, &mut tags);
    let Some(mut board) = read_start(&mut facts, &tags).board else { return };
    let mut before = board.clone();
    let mut lines: Vec<(Board, Board)> = Vec::new();
    for token in region.tokens {
        match token.kind {
            Kind::Move => {
                let position = board.clone();
                if step(&mut board, region.text, token.start as usize, token.end as usize).is_some() {
                    before = position;
                }
            }
            Kind::Open if lines.len() < 100 => {
                lines.push((before.clone(), board));
                board = before.clone();
            }
            Kind::Close => {
                if let Some(line) = lines.pop() {
                    (before, board) = line;
                }
            }
            _ => {}
        }
    }
}
