//! The watch over draws, over a game that was replayed.

use crate::board::Board;
use crate::game::Judge;
use crate::profile_choice::Chosen;

impl Judge {
    /// Goes over the game that was replayed with the exact watch over draws. Gives whether claims are judged.
    pub(crate) fn watch(&mut self, start: Option<&Board>, chosen: Chosen) -> bool {
        let Judge { watch, replay, choice, .. } = self;
        watch.clear();
        let Some(start) = start else { return false };
        if replay.scout.interesting || (self.wanted.keys && replay.scout.repeated) {
            let profile = choice.profile(chosen);
            replay.scout.sort();
            let mut board = start.clone();
            let mut index = 0;
            // Stretches in which nothing came back and no clock ran high have nothing to tell.
            for &stretch in &replay.scout.stretches {
                let stands_once = |index: u32| replay.scout.stands_once(stretch, &replay.plies, index);
                // Nor has the beginning of one.
                let first = (stretch.first..replay.watched).find(|index| !stands_once(*index)).unwrap_or(stretch.first);
                board.pass_over(replay.plies[index as usize..first as usize].iter().map(|ply| ply.mv));
                watch.clear_stretch();
                index = first;
                loop {
                    watch.over |= replay.first_dead.is_some_and(|dead| dead <= index);
                    watch.add(&board, index, stands_once(index), profile);
                    if let Some(detail) = (index > 0).then(|| replay.details.get_mut(index as usize - 1)).flatten() {
                        detail.repetition = watch.repetition;
                    }
                    if index == replay.watched {
                        break;
                    }
                    board.play(replay.plies[index as usize].mv);
                    index += 1;
                    if board.halfmove == 0 {
                        break;
                    }
                }
            }
        }
        replay.watching
    }
}
