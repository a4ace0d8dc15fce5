//! What a format could not hold or was not to hold, counted by kind.

macro_rules! left {
    ($($(#[$about:meta])* $kind:ident,)+) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Left {
            $($(#[$about])* pub $kind: u64,)+
        }

        impl Left {
            /// The counts by their names in Python.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($kind), self.$kind)),+].into_iter()
            }
        }
    };
}

left! {
    /// Tag pairs, and lines that look like some.
    tags,
    /// Moves of mainlines.
    moves,
    comments,
    /// In comments that were kept otherwise.
    commands,
    nags,
    /// Nested ones too; what stands in them is not counted.
    variations,
    unread,
    /// Games of which not all could be played.
    tails,
    /// Termination markers.
    results,
    /// Games with text behind the marker.
    behind,
    escape_lines,
    /// Stretches of text that belong to no game.
    outside,
    /// Comments without an end, in games.
    open_comments,
    /// Games of which a move number of the mainline skips some or goes back.
    renumbered,
    /// Games of which the rest has moves with letters of other languages. Not left behind, but a hint.
    foreign,
}
