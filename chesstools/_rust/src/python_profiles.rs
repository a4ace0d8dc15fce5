//! Profiles as Python holds them (`chesstools/profiles.py`) to those of the core.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::extensions::{Condition, Extension};
use crate::profile::{CastlingKey, DeadPosition, EpKey, FlagDraw, Profile};
use crate::profile_choice::{Candidate, Dates, ProfileChoice};

/// A `chesstools.profile_choice.Choice`.
pub fn choice_of(choice: &Bound<'_, PyAny>) -> PyResult<ProfileChoice> {
    let option = choice.getattr("option")?;
    let mut candidates = Vec::new();
    if !option.is_none() {
        add_candidates(&mut candidates, &[option])?;
        return Ok(ProfileChoice::option(candidates));
    }
    let profiles: Vec<Bound<'_, PyAny>> = choice.getattr("profiles")?.try_iter()?.collect::<PyResult<_>>()?;
    add_candidates(&mut candidates, &profiles)?;
    let names: Vec<String> = candidates[..profiles.len()].iter().map(|candidate| candidate.profile.name.clone()).collect();
    let place = |profile: &Bound<'_, PyAny>| -> PyResult<usize> {
        let name: String = profile.getattr("name")?.extract()?;
        names.iter().position(|other| *other == name).ok_or_else(|| PyValueError::new_err(name))
    };
    let mut editions = Vec::new();
    for edition in choice.getattr("editions")?.try_iter()? {
        let (day, profile): ((u32, u32, u32), Bound<'_, PyAny>) = edition?.extract()?;
        editions.push((number_of(day), place(&profile)?));
    }
    let undated = place(&choice.getattr("undated")?)?;
    // The profile of early games differs from the one of its name, and no tag chooses it.
    let earlier = candidates.len();
    add_candidates(&mut candidates, &[choice.getattr("earlier")?])?;
    candidates[earlier].sites.clear();
    candidates[earlier].modes.clear();
    candidates[earlier].events.clear();
    let dates = Dates { editions, undated, earlier };
    Ok(ProfileChoice::automatic(candidates, dates))
}

/// Adds profiles, and behind them what they were before some days.
fn add_candidates(candidates: &mut Vec<Candidate>, profiles: &[Bound<'_, PyAny>]) -> PyResult<()> {
    let first = candidates.len();
    for profile in profiles {
        let words = |name: &str| profile.getattr(name)?.extract::<Vec<String>>();
        let (sites, modes, events) = (words("sites")?, words("modes")?, words("events")?);
        candidates.push(Candidate { sites, modes, events, ..profile_of(profile)?.into() });
    }
    for (at, profile) in (first..).zip(profiles) {
        for version in profile.getattr("versions")?.try_iter()? {
            let (before, was): (Bound<'_, PyAny>, Bound<'_, PyAny>) = version?.extract()?;
            let part = |name: &str| before.getattr(name)?.extract::<u32>();
            let place = candidates.len();
            candidates[at].earlier.push((number_of((part("year")?, part("month")?, part("day")?)), place));
            candidates.push(profile_of(&was)?.into());
        }
    }
    Ok(())
}

/// A day as the core writes it: 20230101.
fn number_of((year, month, day): (u32, u32, u32)) -> u32 {
    10_000 * year + 100 * month + day
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
