//! Prints tokens and regions of many texts, one text a line, to be compared with the reference engine.
//!
//! `tokens FILE [LIMIT=NUMBER ...]`: the file holds texts, each behind its length (four bytes, little endian). A line
//! holds `kind:start:end` for each token, a `|`, and the regions.

use std::fmt::Write as _;
use std::io::Write as _;

use _core::lexer::{tokens, Token};
use _core::limits::Limits;
use _core::segment::{Buffers, Segmenter, Start};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let limits = arguments.fold(Limits::STATED, with);
    let data = std::fs::read(file).expect("readable");
    let mut rest = &data[..];
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut buffers = Buffers::default();
    let mut line = String::new();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let (text, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
        line.clear();
        describe(text, limits, &mut buffers, &mut line);
        writeln!(out, "{line}").expect("written");
        rest = behind;
    }
}

fn with(mut limits: Limits, setting: String) -> Limits {
    let (name, number) = setting.split_once('=').expect("LIMIT=NUMBER");
    let number = number.parse().expect("a number");
    match name {
        "comment" => limits.comment = number,
        "tag_line" => limits.tag_line = number,
        "inline_tag" => limits.inline_tag = number,
        "nested_comment" => limits.nested_comment = number,
        "blank" => limits.blank = number,
        "game" => limits.game = number,
        "game_tokens" => limits.game_tokens = number,
        _ => panic!("no limit {name}"),
    }
    limits
}

fn list(tokens: &[Token], line: &mut String) {
    for token in tokens {
        write!(line, "{}:{}:{} ", token.kind as u8, token.start, token.end).expect("written");
    }
}

fn describe(text: &[u8], limits: Limits, buffers: &mut Buffers, line: &mut String) {
    list(&tokens(text, limits), line);
    let mut segmenter = Segmenter::with_limits(text, 0, Start::default(), buffers, limits);
    while let Some(region) = segmenter.next_region() {
        let terminator = region.terminator.map_or(-1, |index| index as i64);
        let flags = u8::from(region.is_game) + 2 * u8::from(region.too_long);
        write!(line, "|{flags} {} {} {} {terminator} ", region.start, region.end, region.line).expect("written");
        list(region.tokens, line);
        line.push('g');
        list(region.glued, line);
    }
}
