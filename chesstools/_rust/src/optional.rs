//! What is worked out only where it is asked for: optional rules (`optional` in `chesstools/rules.toml`), longer proofs.

use std::collections::HashSet;

use crate::winnable::Depth;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Optional {
    /// P112.
    pub long_lines: bool,
    /// How much is looked at to know whether a side can still mate.
    pub depth: Depth,
}

impl Optional {
    /// `codes` are those of the findings that are wanted.
    pub fn of(codes: &HashSet<String>, depth: Depth) -> Optional {
        Optional { long_lines: codes.contains("P112"), depth }
    }
}
