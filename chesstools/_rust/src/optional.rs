//! What is worked out only where it is asked for: optional rules (`optional` in `chesstools/rules.toml`), longer proofs.

use std::collections::HashSet;
use std::sync::Arc;

use crate::openings::Openings;
use crate::winnable::Depth;

/// What is asked for, and what it needs.
#[derive(Clone, Default)]
pub struct Optional {
    /// P112.
    pub long_lines: bool,
    /// T126, with the names of openings.
    pub eco: Option<Arc<Openings>>,
    /// How much is looked at to know whether a side can still mate.
    pub depth: Depth,
}

impl Optional {
    /// `codes` are those of the findings that are wanted.
    pub fn of(codes: &HashSet<String>, openings: Option<&Arc<Openings>>, depth: Depth) -> Optional {
        let eco = openings.filter(|_| codes.contains("T126")).cloned();
        Optional { long_lines: codes.contains("P112"), eco, depth }
    }
}
