//! The ECO tag against the moves (T126). The counterpart of `chesstools/reference/eco.py`.

use crate::facts::Facts;
use crate::openings::{number_of, Openings, Shape};
use crate::record::Ply;
use crate::start::{Rules, Start};
use crate::tags::{Name, Tags};
use crate::text::trim;
use crate::types::Place;

/// A code whose positions are nearer than that to the game is one that others could give it: squares, what two moves change,
const FAR: u32 = 4;
/// and the part of the squares on which the position differs from the array, as one by this.
const PART: u32 = 4;

/// The code of the tag, as text and by its number, where it can be judged: not A00, which also stands for no opening at all.
fn code_of<'t>(tags: &'t Tags) -> Option<(&'t str, usize)> {
    let text = trim(tags.get(Name::Eco)?);
    let number = number_of(text).filter(|&number| number != 0)?;
    Some((text, number))
}

/// Reports a code that the moves do not fit.
pub fn report_eco(facts: &mut Facts, tags: &Tags, start: &Start, plies: &[Ply], openings: &Openings) {
    let (Some((code, number)), Some(token)) = (code_of(tags), tags.token(Name::Eco)) else { return };
    if start.rules != Some(Rules::Standard) || !start.board.as_ref().is_some_and(|board| openings.begin_at(board)) {
        return;
    }
    let moves = plies.iter().map(|ply| ply.mv);
    let Some(opening) = openings.classify(moves.clone()) else { return };
    let family = |code: &str| code.as_bytes().first_chunk::<2>().copied();
    if family(&opening.entry.eco) == family(code) {
        return;
    }
    let shapes: Vec<Shape> = openings.positions(moves).map(|board| Shape::of(&board)).collect();
    let Some(count) = distance(openings, number, &shapes) else { return };
    let finding = facts.add("T126", token, &Place::default());
    finding.with("expected", &*opening.entry.eco).with("found", code).with("count", count);
    finding.with("last_ply", opening.ply).with("opening", &*opening.entry.name);
}

/// On how many squares the nearest position of the code differs from the game, where all of them are far from it. Only squares
/// on which that position differs from the array count: on others the game may have gone on.
fn distance(openings: &Openings, code: usize, shapes: &[Shape]) -> Option<u32> {
    let mut least = None;
    for entry in openings.of_code(code) {
        let moved = entry.shape.differs(openings.start_shape());
        let count = shapes.iter().map(|shape| (shape.differs(&entry.shape) & moved).count_ones()).min()?;
        if count < FAR || PART * count < moved.count_ones() {
            return None;
        }
        least = least.into_iter().chain([count]).min();
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::tests::{few, moves};

    fn far(code: &str, texts: &str) -> Option<u32> {
        let openings = few();
        let shapes: Vec<Shape> = openings.positions(moves(texts).into_iter()).map(|board| Shape::of(&board)).collect();
        distance(&openings, number_of(code)?, &shapes)
    }

    #[test]
    fn only_squares_count_that_the_position_of_the_code_has_changed() {
        assert_eq!(far("B20", "d2d4 d7d5 c2c4"), Some(4));
        for near in ["e2e4", "c2c4 c7c5 e2e4", "d2d4 c7c5 c2c4", ""] {
            assert_eq!(far("B20", near), None);
        }
        assert_eq!(far("A40", "e2e4"), None, "too few squares to tell");
        assert_eq!(far("E99", "e2e4"), None);
    }

    #[test]
    fn a_quarter_of_the_squares_must_differ() {
        // 17 squares are not those of the array.
        let fen = "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6";
        let openings = Openings::of([(fen, "C84".into(), "Spanish".into(), vec!["C84".into()])].into_iter()).expect("a position");
        let far = |texts: &str| {
            let shapes: Vec<Shape> = openings.positions(moves(texts).into_iter()).map(|board| Shape::of(&board)).collect();
            distance(&openings, 284, &shapes)
        };
        let spanish = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4";
        assert_eq!(far(spanish), Some(8));
        assert_eq!(far(&format!("{spanish} g8f6")), Some(6));
        assert_eq!(far(&format!("{spanish} g8f6 d2d3 f8e7")), None, "four are less than a quarter");
        assert_eq!(far(&format!("{spanish} g8f6 e1h1")), None);
        assert_eq!(far("d2d4 d7d5"), Some(17));
    }
}
