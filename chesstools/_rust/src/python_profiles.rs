//! Profiles as Python holds them (`chesstools/profiles.py`) to those of the core.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::extensions::{Condition, Extension};
use crate::profile::{CastlingKey, DeadPosition, EpKey, FlagDraw, Profile};
use crate::profile_choice::{Candidate, Dates, ProfileChoice};

/// A `chesstools.profile_choice.Choice`.
pub fn choice_of(choice: &Bound<'_, PyAny>) -> PyResult<ProfileChoice> {
    let option = choice.getattr("option")?;
    if !option.is_none() {
        return Ok(profile_of(&option)?.into());
    }
    let mut candidates: Vec<Candidate> =
        choice.getattr("profiles")?.try_iter()?.map(|profile| candidate_of(&profile?)).collect::<PyResult<_>>()?;
    let names: Vec<String> = candidates.iter().map(|candidate| candidate.profile.name.clone()).collect();
    let place = |profile: &Bound<'_, PyAny>| -> PyResult<usize> {
        let name: String = profile.getattr("name")?.extract()?;
        names.iter().position(|other| *other == name).ok_or_else(|| PyValueError::new_err(name))
    };
    let mut editions = Vec::new();
    for edition in choice.getattr("editions")?.try_iter()? {
        let ((year, month, day), profile): ((u32, u32, u32), Bound<'_, PyAny>) = edition?.extract()?;
        editions.push((10_000 * year + 100 * month + day, place(&profile)?));
    }
    let undated = place(&choice.getattr("undated")?)?;
    // The profile of early games differs from the one of its name, and no tag chooses it.
    candidates.push(profile_of(&choice.getattr("earlier")?)?.into());
    let dates = Dates { editions, undated, earlier: candidates.len() - 1 };
    Ok(ProfileChoice::automatic(candidates, dates))
}

fn candidate_of(profile: &Bound<'_, PyAny>) -> PyResult<Candidate> {
    let words = |name: &str| profile.getattr(name)?.extract::<Vec<String>>();
    Ok(Candidate { profile: profile_of(profile)?, sites: words("sites")?, modes: words("modes")?, events: words("events")? })
}

/// A `chesstools.profiles.Profile`.
fn profile_of(profile: &Bound<'_, PyAny>) -> PyResult<Profile> {
    let number = |name: &str| profile.getattr(name)?.extract::<Option<u32>>();
    let flag = |name: &str| profile.getattr(name)?.extract::<bool>();
    let extensions = profile.getattr("fifty_extensions")?;
    Ok(Profile {
        name: profile.getattr("name")?.extract()?,
        threefold_claim: number("threefold_claim")?,
        threefold_announced: flag("threefold_announced")?,
        threefold_automatic: flag("threefold_automatic")?,
        fivefold_draw: number("fivefold_draw")?,
        fivefold_consecutive: flag("fivefold_consecutive")?,
        fifty_claim: number("fifty_claim")?,
        fifty_announced: number("fifty_announced")?,
        fifty_automatic: flag("fifty_automatic")?,
        fifty_min_men: number("fifty_min_men")?,
        fifty_extensions: extensions.try_iter()?.map(|one| extension_of(&one?)).collect::<PyResult<_>>()?,
        seventyfive_draw: number("seventyfive_draw")?,
        castling_key: word(profile, "castling_key", CastlingKey::of)?,
        ep_key: word(profile, "ep_key", EpKey::of)?,
        dead_position: word(profile, "dead_position", DeadPosition::of)?,
        flag_draw: word(profile, "flag_draw", FlagDraw::of)?,
        knn_flag_draw: flag("knn_flag_draw")?,
        resign_unwinnable_draws: flag("resign_unwinnable_draws")?,
        agreed_draw_needs_moves: flag("agreed_draw_needs_moves")?,
        both_lose: profile.getattr("both_lose")?.extract()?,
    })
}

/// An attribute that is one of a few words.
fn word<T>(object: &Bound<'_, PyAny>, name: &str, of: impl Fn(&str) -> Option<T>) -> PyResult<T> {
    let text: String = object.getattr(name)?.extract()?;
    of(&text).ok_or_else(|| PyValueError::new_err(format!("{name} cannot be {text:?}")))
}

/// A `chesstools.extensions.Extension`.
fn extension_of(extension: &Bound<'_, PyAny>) -> PyResult<Extension> {
    let condition = match extension.getattr("condition")?.extract::<String>()?.as_str() {
        "pawn-on-seventh" => Condition::PawnOnSeventh,
        "pawn-blocked" => Condition::PawnBlocked(ranks(&extension.getattr("line")?)?),
        "rook-pawns" => Condition::RookPawns(extension.getattr("pawns")?.extract()?),
        _ => Condition::Always,
    };
    let (one, other) = extension.getattr("sides")?.extract()?;
    Ok(Extension {
        material: extension.getattr("material")?.extract()?,
        sides: [men(one), men(other)],
        moves: extension.getattr("moves")?.extract()?,
        condition,
    })
}

fn men((queens, rooks, bishops, knights, pawns): (u8, u8, u8, u8, u8)) -> [u8; 5] {
    [queens, rooks, bishops, knights, pawns]
}

fn ranks(line: &Bound<'_, PyAny>) -> PyResult<[u8; 8]> {
    let ranks: Vec<u8> = line.extract()?;
    ranks.try_into().map_err(|_| PyValueError::new_err("a line has eight ranks"))
}
