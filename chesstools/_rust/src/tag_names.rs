//! The names of the tags that mean something to the core.

/// Tags that are asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Name {
    Event,
    Site,
    Date,
    Round,
    White,
    Black,
    Result,
    WhiteElo,
    BlackElo,
    WhiteTitle,
    BlackTitle,
    Eco,
    Opening,
    Variant,
    TimeControl,
    UtcDate,
    UtcTime,
    EventDate,
    Annotator,
    Termination,
    TerminationDetails,
    Fen,
    SetUp,
    PlyCount,
    GameStartTime,
    GameEndTime,
    Mode,
}

/// How many names there are.
pub const NAMES: usize = Name::Mode as usize + 1;

/// The seven tags that every game has.
pub const ROSTER: [Name; 7] = [Name::Event, Name::Site, Name::Date, Name::Round, Name::White, Name::Black, Name::Result];

impl Name {
    /// The name as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Name::Event => "Event",
            Name::Site => "Site",
            Name::Date => "Date",
            Name::Round => "Round",
            Name::White => "White",
            Name::Black => "Black",
            Name::Result => "Result",
            Name::WhiteElo => "WhiteElo",
            Name::BlackElo => "BlackElo",
            Name::WhiteTitle => "WhiteTitle",
            Name::BlackTitle => "BlackTitle",
            Name::Eco => "ECO",
            Name::Opening => "Opening",
            Name::Variant => "Variant",
            Name::TimeControl => "TimeControl",
            Name::UtcDate => "UTCDate",
            Name::UtcTime => "UTCTime",
            Name::EventDate => "EventDate",
            Name::Annotator => "Annotator",
            Name::Termination => "Termination",
            Name::TerminationDetails => "TerminationDetails",
            Name::Fen => "FEN",
            Name::SetUp => "SetUp",
            Name::PlyCount => "PlyCount",
            Name::GameStartTime => "GameStartTime",
            Name::GameEndTime => "GameEndTime",
            Name::Mode => "Mode",
        }
    }

    /// The tag with this name.
    pub fn of(name: &str) -> Option<Name> {
        Some(match name.as_bytes() {
            b"Event" => Name::Event,
            b"Site" => Name::Site,
            b"Date" => Name::Date,
            b"Round" => Name::Round,
            b"White" => Name::White,
            b"Black" => Name::Black,
            b"Result" => Name::Result,
            b"WhiteElo" => Name::WhiteElo,
            b"BlackElo" => Name::BlackElo,
            b"WhiteTitle" => Name::WhiteTitle,
            b"BlackTitle" => Name::BlackTitle,
            b"ECO" => Name::Eco,
            b"Opening" => Name::Opening,
            b"Variant" => Name::Variant,
            b"TimeControl" => Name::TimeControl,
            b"UTCDate" => Name::UtcDate,
            b"UTCTime" => Name::UtcTime,
            b"EventDate" => Name::EventDate,
            b"Annotator" => Name::Annotator,
            b"Termination" => Name::Termination,
            b"TerminationDetails" => Name::TerminationDetails,
            b"FEN" => Name::Fen,
            b"SetUp" => Name::SetUp,
            b"PlyCount" => Name::PlyCount,
            b"GameStartTime" => Name::GameStartTime,
            b"GameEndTime" => Name::GameEndTime,
            b"Mode" => Name::Mode,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for name in ROSTER.into_iter().chain([Name::Eco, Name::UtcDate, Name::Fen, Name::SetUp, Name::GameEndTime, Name::Mode]) {
            assert_eq!(Name::of(name.text()), Some(name));
        }
        assert_eq!(Name::of("event"), None);
    }
}
