//! How many queens each side has, as a game goes on: `chesstools/stats/queens.py`.

use super::block::{Ply, QUEEN};

/// The queens of both sides.
pub struct Queens {
    left: [i64; 2],
    /// Whether the side had none for the first time: what comes later does not matter.
    pub gone: [bool; 2],
}

impl Queens {
    /// As many as there are at the start.
    pub fn new(left: [i64; 2]) -> Queens {
        Queens { left, gone: left.map(|left| left <= 0) }
    }

    /// Whether both sides have one: 1 or 0.
    pub fn both(&self) -> i64 {
        i64::from(self.left.iter().all(|&left| left > 0))
    }

    /// After a ply.
    pub fn follow(&mut self, ply: &Ply) {
        if ply.promoted() == QUEEN {
            self.left[ply.side] = self.left[ply.side].wrapping_add(1);
        }
        if ply.captured == QUEEN {
            let other = 1 - ply.side;
            self.left[other] = self.left[other].wrapping_sub(1);
            self.gone[other] |= self.left[other] <= 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::NONE;
    use super::super::samples::block;
    use super::*;

    #[test]
    fn queens_come_and_go() {
        // White promotes, Black captures both, White promotes again.
        let rows = [
            (4 << 12 | 1, 0, NONE, NONE),
            (1, 0, QUEEN, NONE),
            (1, 0, NONE, NONE),
            (1, 0, QUEEN, NONE),
            (4 << 12 | 1, 0, 1, NONE),
        ];
        let mut queens = Queens::new([1, 1]);
        let mut seen = vec![];
        for ply in block(&[&rows]).games().next().unwrap().plies() {
            queens.follow(&ply);
            seen.push((queens.both(), queens.gone[0]));
        }
        assert_eq!(seen, [(1, false), (1, false), (1, false), (0, true), (1, true)]);
        assert_eq!(Queens::new([0, 1]).gone, [true, false]);
    }
}
