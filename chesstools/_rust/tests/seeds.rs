//! The checks that fuzzing runs (`fuzz/checks`), on their seeds and on seeds with a few bytes changed.

#[path = "../fuzz/checks/mod.rs"]
mod checks;

use std::fs;
use std::panic::{catch_unwind, resume_unwind};
use std::path::Path;

/// How often each seed is tried with changes.
const CHANGES: usize = 60;

#[test]
fn seeds() {
    for (name, check) in checks::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
        let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{name} has no seeds");
        for path in paths {
            let seed = fs::read(&path).unwrap();
            let mut dice = Dice(seed.len() as u64);
            for round in 0..=CHANGES {
                let mut data = seed.clone();
                for _ in 0..round.min(4) {
                    dice.change(&mut data);
                }
                if let Err(panic) = catch_unwind(|| check(&data)) {
                    eprintln!("{name}, {} in round {round}: {}", path.display(), data.escape_ascii());
                    resume_unwind(panic);
                }
            }
        }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }

    /// Replaces, drops, adds or doubles a few bytes.
    fn change(&mut self, data: &mut Vec<u8>) {
        const SIGNS: &[u8] = b"{}()[]\";%$!?.=+#-x \n\r\t\0\xff\xc2*0189abNQO/";
        let at = self.roll(data.len());
        let sign = SIGNS[self.roll(SIGNS.len())];
        match self.roll(4) {
            0 if !data.is_empty() => data[at] = sign,
            1 if !data.is_empty() => {
                data.remove(at);
            }
            2 => data.insert(at, sign),
            _ => {
                let end = data.len().min(at + 1 + self.roll(30));
                let copy = data[at..end].to_vec();
                data.splice(at..at, copy);
            }
        }
    }
}
