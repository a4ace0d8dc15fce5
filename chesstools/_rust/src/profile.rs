//! The Laws as parameters. The counterpart of `chesstools/profiles.py`, which says what each one means; those that no
//! judgement of the core asks for are left out. Python reads the files that define them.

use crate::draws::FIFTY;
use crate::extensions::Extension;

/// The numbers that editions of the Laws and servers differ in. Counts of moves are in plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub name: String,
    pub threefold_claim: Option<u32>,
    pub threefold_announced: bool,
    pub threefold_automatic: bool,
    pub fivefold_draw: Option<u32>,
    pub fivefold_consecutive: bool,
    pub fifty_claim: Option<u32>,
    pub fifty_announced: Option<u32>,
    pub fifty_automatic: bool,
    pub fifty_min_men: Option<u32>,
    pub fifty_extensions: Vec<Extension>,
    pub seventyfive_draw: Option<u32>,
    pub castling_key: CastlingKey,
    pub ep_key: EpKey,
    pub dead_position: DeadPosition,
    pub flag_draw: FlagDraw,
    pub knn_flag_draw: bool,
    pub resign_unwinnable_draws: bool,
    pub agreed_draw_needs_moves: bool,
    pub both_lose: Option<bool>,
}

/// Words in `profiles.toml` that stand for rules.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($word:literal => $variant:ident,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($variant,)+
        }

        impl $name {
            pub fn of(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// What of castling makes positions with the same men different.
    CastlingKey { "rights" => Rights, "available-now" => AvailableNow, }
}

words! {
    /// When an en passant square makes positions with the same men different.
    EpKey { "legal" => Legal, "pseudo" => Pseudo, "fen" => Fen, }
}

words! {
    /// Which rule says that the game is over for lack of material.
    DeadPosition {
        "three-cases" => ThreeCases,
        "any-series" => AnySeries,
        "uscf" => Uscf,
        "lichess" => Lichess,
        "chesscom" => Chesscom,
    }
}

words! {
    /// When a player who oversteps the time draws.
    FlagDraw {
        "bare-king" => BareKing,
        "no-mate" => NoMate,
        "uscf" => Uscf,
        "lichess" => Lichess,
        "chesscom" => Chesscom,
        "none" => Never,
    }
}

impl Profile {
    /// The Laws of 2023, for those who have no Python to ask (tests, fuzzing, measurements).
    pub fn fide_2023() -> Profile {
        Profile {
            name: "fide-2023".into(),
            threefold_claim: Some(3),
            threefold_announced: true,
            threefold_automatic: false,
            fivefold_draw: Some(5),
            fivefold_consecutive: false,
            fifty_claim: Some(100),
            fifty_announced: Some(99),
            fifty_automatic: false,
            fifty_min_men: None,
            fifty_extensions: Vec::new(),
            seventyfive_draw: Some(150),
            castling_key: CastlingKey::Rights,
            ep_key: EpKey::Legal,
            dead_position: DeadPosition::AnySeries,
            flag_draw: FlagDraw::NoMate,
            knn_flag_draw: false,
            resign_unwinnable_draws: true,
            agreed_draw_needs_moves: true,
            both_lose: Some(true),
        }
    }

    /// Occurrences at which the game is drawn without a claim.
    pub fn automatic_repetition(&self) -> Option<u32> {
        if self.threefold_automatic {
            self.threefold_claim
        } else {
            self.fivefold_draw
        }
    }

    /// Plies without capture or pawn move at which the game is drawn without a claim.
    pub fn automatic_moves(&self) -> Option<u32> {
        if self.fifty_automatic {
            self.fifty_claim
        } else {
            self.seventyfive_draw
        }
    }

    /// The least halfmove clock at which the 50-move rule, or a column that speaks of it, can matter.
    pub fn fifty_from(&self) -> u32 {
        let counts = [Some(FIFTY), self.fifty_claim, self.fifty_announced, self.automatic_moves()];
        counts.into_iter().flatten().min().unwrap_or(FIFTY)
    }
}
