//! Games as PGN, in the export format of the standard.

use super::events::Event;
use super::game::{Game, Played, Sink};
use super::left::Left;
use super::lines::Lines;
use super::move_form::MoveForm;
use super::options::{Keep, Options};
use super::raw::{needs_line, Raw};
use super::{comment_text, tag_section};
use crate::lexer::Token;

/// Writes one game, and an empty line behind it.
pub fn write(game: &Game, options: &Options, left: &mut Left, out: &mut Vec<u8>) {
    let begins = tag_section::write(game, &options.tags, left, out);
    let mut movetext = Movetext {
        game,
        lines: Lines::new(out, options.width),
        form: MoveForm::of(options),
        chess960: game.is_chess960(),
        wants_number: true,
    };
    if !begins && !begins_with_move(game, &options.keep) {
        movetext.lines.ascii(b"1.");
        movetext.lines.empty_comment();
    }
    game.walk(&options.keep, left, &mut movetext);
    let marker = tag_section::marker(game);
    movetext.lines.text(&marker, false);
    if options.keep.bare {
        left.behind += u64::from(!game.raw(game.behind, false).is_empty());
    } else {
        movetext.raw(game.raw(game.behind, false));
    }
    movetext.lines.end();
    if !begins && !options.tags.seven {
        tag_section::in_order(game).for_each(|token| tag_section::write_unread(game, token, out));
    }
    out.push(b'\n');
}

/// Whether movetext would begin with a move, a result, or a comment before these.
fn begins_with_move(game: &Game, keep: &Keep) -> bool {
    let mut dropped = 0;
    for event in game.events {
        match event {
            Event::Mainline(_) => return true,
            Event::Unread(_) if keep.bare => {}
            Event::Open(_) if !keep.variations => dropped += 1,
            Event::Close if !keep.variations => dropped -= 1,
            Event::Comment(_) => {}
            Event::Nag(_) if !keep.nags => {}
            Event::Rest(from, to) if dropped == 0 => return from == to,
            _ if dropped > 0 => {}
            _ => return false,
        }
    }
    true
}

struct Movetext<'w> {
    game: &'w Game<'w>,
    lines: Lines<'w>,
    form: MoveForm<'w>,
    chess960: bool,
    /// Whether a move of Black needs a number.
    wants_number: bool,
}

impl Movetext<'_> {
    fn number(&mut self, half: u64) {
        let mut digits = [b'.'; 24];
        let dots = if half % 2 == 0 { 1 } else { 3 };
        let mut at = digits.len() - 3;
        let mut number = half / 2;
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.lines.ascii(&digits[at..digits.len() - 3 + dots]);
    }

    fn raw(&mut self, parts: Vec<Raw>) {
        for part in parts {
            match part {
                Raw::Text(text) => self.lines.raw(&text),
                Raw::Comment(text) => self.comment(&text),
            }
        }
    }
}

impl Sink for Movetext<'_> {
    fn played(&mut self, played: Played) {
        if played.half % 2 == 0 || self.wants_number {
            self.number(played.half);
        }
        let (text, signs) = self.form.write(&played, self.chess960);
        self.lines.piece(text, signs);
        self.wants_number = false;
    }

    fn comment(&mut self, text: &str) {
        if needs_line(text) {
            self.lines.line_comment(&format!("; {text}"));
        } else {
            self.lines.ascii(b"{");
            // A part that begins with a command holds all of it.
            comment_text::parts(text).for_each(|part| self.lines.text(part, part.starts_with("[%") && part.contains(']')));
            self.lines.ascii(b"}");
        }
        self.wants_number = true;
    }

    fn nag(&mut self, number: u8) {
        let mut text = [b'$', 0, 0, 0];
        let digits = if number > 99 { 3 } else { 1 + usize::from(number > 9) };
        let mut rest = number;
        for at in (1..=digits).rev() {
            text[at] = b'0' + rest % 10;
            rest /= 10;
        }
        self.lines.ascii(&text[..=digits]);
    }

    fn unread(&mut self, token: Token) {
        self.lines.raw(&self.game.facts.text(token));
        self.wants_number = true;
    }

    fn open(&mut self) {
        self.lines.open();
        self.wants_number = true;
    }

    fn close(&mut self) {
        self.lines.close();
        self.wants_number = true;
    }

    fn rest(&mut self, tokens: &[Token]) {
        self.raw(self.game.raw(tokens, true));
    }
}
