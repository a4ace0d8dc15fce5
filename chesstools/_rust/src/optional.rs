//! The rules that are worked out only where they are asked for (`optional` in `chesstools/rules.toml`).

use std::collections::HashSet;

/// Which of them are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Optional {
    /// P112.
    pub long_lines: bool,
}

impl Optional {
    /// `codes` are those of the findings that are wanted.
    pub fn of(codes: &HashSet<String>) -> Optional {
        Optional { long_lines: codes.contains("P112") }
    }
}
