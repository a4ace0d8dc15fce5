//! Tokens cover the text without gaps and overlaps, whatever the limits; regions cover it too, and hold the same tokens.

use _core::lexer::{tokens, Kind, Token};
use _core::limits::Limits;
use _core::segment::{Buffers, Segmenter, Start};

/// Limits that a short text reaches.
pub const SMALL: Limits =
    Limits { comment: 200, tag_line: 80, inline_tag: 40, nested_comment: 30, blank: 5, game: 400, game_tokens: 60 };

pub fn check(data: &[u8]) {
    for limits in [Limits::STATED, SMALL] {
        let found = tokens(data, limits);
        let mut end = 0;
        for token in &found {
            assert!(token.start as usize == end, "a gap or an overlap at {end}: {}", data.escape_ascii());
            assert!(token.end as usize > end, "an empty token at {end}: {}", data.escape_ascii());
            end = token.end as usize;
        }
        assert_eq!(end, data.len(), "{}", data.escape_ascii());
        check_regions(data, limits, &found);
    }
}

/// The segmenter reads much by itself that the lexer would read, and must come to the same tokens.
fn check_regions(data: &[u8], limits: Limits, found: &[Token]) {
    let mut wanted = found.iter().filter(|token| token.kind != Kind::Space);
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::with_limits(data, 0, Start::default(), &mut buffers, limits);
    let (mut end, mut line) = (0, 1);
    while let Some(region) = segmenter.next_region() {
        assert_eq!((region.start, region.line), (end, line), "{}", data.escape_ascii());
        assert!(region.end > end, "an empty region at {end}: {}", data.escape_ascii());
        for token in region.tokens {
            let same = wanted.next().filter(|wanted| {
                // `0-0` may turn out to be a result.
                let forfeit = (wanted.kind, token.kind) == (Kind::Move, Kind::Result);
                (wanted.start, wanted.end) == (token.start, token.end) && (wanted.kind == token.kind || forfeit)
            });
            assert!(same.is_some(), "{token:?} is another token to the lexer: {}", data.escape_ascii());
            let inside = token.start as usize >= region.start && token.end as usize <= region.end;
            assert!(inside, "{token:?} is not in its region: {}", data.escape_ascii());
        }
        end = region.end;
        line += _core::segment::count_lines(region.data());
    }
    assert_eq!((end, wanted.next()), (data.len(), None), "{}", data.escape_ascii());
}
