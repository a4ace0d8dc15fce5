//! Why a game ended, and what that rests on. The counterpart of `chesstools/reference/end_reason.py`.

use crate::comments::{self, Annotations};
use crate::endings::{decisive, Judgement, DRAW};
use crate::facts::Facts;
use crate::record::Ending;
use crate::rows_plies::comment_text;
use crate::runs::Kind;
use crate::said::Said;
use crate::tags::Name;
use crate::types::Color;
use crate::verdicts::is_drawn_on_time;

impl Judgement<'_, '_> {
    /// Why the game ended, and what that rests on: the first of these that tells.
    ///
    /// The board (mate, stalemate, dead position, fivefold, 75 moves); Termination and TerminationDetails; the last comment; again
    /// the board, by a claim that the last position bears out; what Lichess calls normal where only one thing is left; the loser's
    /// clock.
    pub fn reason(&self, facts: &Facts, ending: &Ending, judged: bool, said: &[Said]) -> Option<(&'static str, &'static str)> {
        let last = self.last();
        let drawn = ending.result == Some(DRAW);
        match ending.status.filter(|_| judged) {
            Some("dead") => return Some(("dead_position", "board")),
            Some("none") | None => {}
            Some(status) => return Some((status, "board")),
        }
        let watch = self.watch.filter(|_| judged && drawn);
        let ended = watch.and_then(|watch| self.automatic(watch).into_iter().find(|(index, _)| *index == Some(last)));
        if let Some((_, reason)) = ended {
            return Some((reason, "board"));
        }
        if let Some((reason, basis)) = said.iter().find_map(|words| Some((words.reason?, words.basis))) {
            let could_not_win = watch.and(self.board).filter(|_| reason == "time");
            let could_not_win = could_not_win.is_some_and(|board| is_drawn_on_time(board, self.profile, self.depth));
            let reason = if could_not_win { "timeout_v_insufficient_material" } else { reason };
            return Some((reason, basis));
        }
        // Not with a written move: the board does not show that a claim was made.
        let run = watch.and_then(|watch| watch.runs.iter().find(|run| run.last == last && run.complete == Some(last)));
        if let Some(run) = run {
            return Some((if run.kind == Kind::Repetition { "threefold" } else { "fifty" }, "board"));
        }
        if !judged {
            return None;
        }
        let winner = decisive(ending.result);
        if said.iter().any(|words| words.normal) && self.is_from_lichess() {
            // Its other words are for time, rules and games that were left; and it knows no claims with a written move.
            let left = if drawn { Some("agreement") } else { winner.map(|_| "resignation") };
            return left.map(|reason| (reason, "termination"));
        }
        let out_of_time = said.is_empty() && winner.is_some_and(|winner| self.is_out_of_time(facts, winner.other()));
        out_of_time.then_some(("time", "clock"))
    }

    fn is_from_lichess(&self) -> bool {
        self.tags.get(Name::Site).is_some_and(|site| site.contains("lichess.org"))
    }

    /// Whether the clock behind the last move of `side` shows nothing left.
    fn is_out_of_time(&self, facts: &Facts, side: Color) -> bool {
        let Some(board) = self.board else { return false };
        let ply = self.last().saturating_sub(u32::from(board.turn == side));
        if ply == 0 {
            return false;
        }
        let mut read = Annotations::default();
        for token in self.comments_at(ply) {
            let text = comment_text(facts, token);
            if text.is_empty() {
                continue;
            }
            comments::read_commands(&facts.text(token), &mut read, |_| {});
            if text.contains('=') {
                comments::read_tcec(&text, &mut read);
            }
        }
        read.clock_ms.is_some_and(|clock| clock <= 0)
    }
}
