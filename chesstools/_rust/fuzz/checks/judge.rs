//! Games are judged alike by every lane that leads through the core, and each move alike by the fast path and the careful one.

use _core::board::Board;
use _core::draws::Profile;
use _core::facts::Facts;
use _core::game::{Judge, Judged, Outcome};
use _core::lexer::Kind;
use _core::segment::{Buffers, Region, Segmenter, Start};
use _core::start::read_start;
use _core::tags::{read_tags, Tags};

use super::step::step;

pub fn check(data: &[u8]) {
    // What is wanted of a game decides on which lane it is judged: the first is that of the verdicts alone, the last that of
    // everything.
    let lanes = [(false, false), (true, false), (false, true), (true, true)];
    let mut judges = lanes.map(|(games, plies)| Judge::new(Profile::fide_2023(), games, plies));
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::new(data, 0, Start::default(), &mut buffers);
    while let Some(region) = segmenter.next_region() {
        if !region.is_game {
            judges[0].quarantine(&region);
            continue;
        }
        let [first, others @ ..] = &mut judges;
        let wanted = verdict(first, &region);
        for other in others {
            let found = verdict(other, &region);
            assert_eq!(found, wanted, "{}", region.data().escape_ascii());
        }
        check_moves(&region);
    }
}

/// All that must not depend on the lane.
fn verdict(judge: &mut Judge, region: &Region) -> Vec<String> {
    let mut found = Vec::new();
    let outcome = judge.game(region, 0, &mut |judged| {
        let Judged::Game(game) = judged else { panic!("only plain games are told to be clean") };
        found.push(format!("{:?} of {} plies, {:?}", game.ending, game.plies_written, game.firsts));
        found.push(format!("{} legal, {} bad, {:?}", game.plies.len(), game.rest.len(), game.movetext));
        found.extend(game.findings.iter().map(|finding| format!("{finding:?}")));
    });
    assert_eq!(found.is_empty(), outcome == Outcome::Elsewhere);
    found
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
