//! `judge_speed FILE`: judges all games of a file as `validate` does, and makes no rows. For callgrind and the like.

use std::time::Instant;

use _core::game::{Judge, Judged};
use _core::optional::Optional;
use _core::profile::Profile;
use _core::region::Lines;
use _core::segment::{Buffers, Segmenter, Start};

fn main() {
    let file = std::env::args().nth(1).expect("a file");
    let data = std::fs::read(&file).expect("readable");
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::new(&data, 0, Start::default(), &mut buffers);
    let mut judge = Judge::new(Profile::fide_2023(), false, false, Optional::default());
    let (mut games, mut clean, mut plies, mut findings) = (0, 0, 0, 0);
    let clock = Instant::now();
    let mut at = segmenter.position();
    let mut lines = Lines::from(&data, at);
    loop {
        let mut count = |judged: Judged| {
            games += 1;
            match judged {
                Judged::Clean(game) => (clean, plies) = (clean + 1, plies + game.plies as usize),
                Judged::Game(game) => (plies, findings) = (plies + game.plies.len(), findings + game.findings.len()),
            }
        };
        let plain = if at.glued || at.too_long { None } else { judge.plain_game(&data, 0, at.at, &mut lines, 0, &mut count) };
        if let Some(next) = plain {
            at.at = next;
            continue;
        }
        if at.at != segmenter.position().at {
            segmenter.go_on(Start { line: lines.at(at.at), ..at });
        }
        let Some(region) = segmenter.next_region() else { break };
        if region.is_game {
            judge.game(&region, 0, &mut count);
        } else {
            findings += judge.quarantine(&region).len();
        }
        at = segmenter.position();
        lines = Lines::from(&data, at);
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!("{file}: {games} games ({clean} clean), {plies} plies, {findings} findings");
    println!("{:.1} MB/s, {:.1} ns a ply", data.len() as f64 / 1e6 / seconds, seconds * 1e9 / plies as f64);
}
