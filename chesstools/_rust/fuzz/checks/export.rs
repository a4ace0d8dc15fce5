//! Games are written alike in one go and token by token, and however their text is cut; each format keeps its form; what is written
//! as PGN is written again as the same.

use std::sync::Arc;

use _core::chunk::Chunker;
use _core::export::exporter::{Exporter, Written};
use _core::export::options::{Format, Keep, Notation, Options, Positions, TagOptions};
use _core::export::work::work;
use _core::fen_rows::understood;
use _core::limits::Limits;
use _core::normal_form::{push_sameness, EnPassant};
use _core::pieces::Piece;
use _core::segment::{Buffers, Segmenter, Start};

const KEEP: Keep = Keep { comments: true, nags: true, variations: true, clocks: true, commands: true, bare: false };
const BARE: Keep = Keep { comments: false, nags: false, variations: false, clocks: false, commands: false, bare: true };
const TAGS: TagOptions = TagOptions { seven: false, roster: false, sorted: false };

fn options(format: Format) -> Options {
    Options {
        format,
        notation: Notation::San,
        letters: None,
        width: 80,
        keep: KEEP,
        tags: TAGS,
        positions: Positions::Final,
        ep: EnPassant::Legal,
        keys: false,
    }
}

fn all() -> Vec<Options> {
    let moves = |notation| Options { notation, ..options(Format::Moves) };
    let sorted = TagOptions { seven: false, roster: true, sorted: true };
    vec![
        options(Format::Pgn),
        Options { notation: Notation::Lan, width: usize::MAX, tags: sorted, ..options(Format::Pgn) },
        Options { keep: Keep { commands: false, variations: false, ..KEEP }, ..options(Format::Pgn) },
        Options { keep: BARE, tags: TagOptions { seven: true, ..sorted }, ..options(Format::Pgn) },
        options(Format::JsonLines),
        moves(Notation::San),
        moves(Notation::Uci),
        Options { positions: Positions::Every, keys: true, ..options(Format::Fen) },
        Options { ep: EnPassant::Standard, keys: true, ..options(Format::Epd) },
    ]
}

pub fn check(data: &[u8]) {
    // Games at the very end are not plain, as what follows them decides; so another one follows.
    let mut text = data.to_vec();
    text.extend_from_slice(b"\n\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n\n1. e4 e5 2. Nf3 *\n");
    for options in all() {
        let options = Arc::new(options);
        let about = || format!("{options:?}: {}", text.escape_ascii());
        let whole = in_chunks(&text, &options, text.len() + 1, IN_ONE);
        assert_eq!(token_by_token(&text, &options), (whole.text.clone(), whole.games), "{}", about());
        let cut = in_chunks(&text, &options, 1 + text.len() % 127, 1 + text.len() % 61);
        assert_eq!(cut, whole, "{}", about());
        check_form(&whole, &options, &about);
        if options.format == Format::Pgn && std::str::from_utf8(&text).is_ok() {
            let again = in_chunks(&whole.text, &options, IN_ONE, IN_ONE);
            let shown = (whole.text.escape_ascii(), again.text.escape_ascii());
            assert!(again.text == whole.text, "{}\n{}\n{}", about(), shown.0, shown.1);
        }
    }
    check_positions(&text);
}

/// What became of a text.
#[derive(Debug, Default, PartialEq)]
struct Export {
    text: Vec<u8>,
    keys: Vec<u128>,
    /// How many games have a number to come.
    numbers: usize,
    left: Vec<(&'static str, u64)>,
    games: u64,
    /// Where games begin that only the readable engine knows.
    elsewhere: Vec<u64>,
}

impl Export {
    fn add(&mut self, piece: Piece) {
        match piece {
            Piece::Written(written) => {
                self.text.extend(&written.text);
                self.keys.extend(&written.keys);
                self.numbers += written.numbers.len();
                self.games += written.games;
                self.left.resize(written.left.iter().count(), ("", 0));
                for (sum, (name, count)) in self.left.iter_mut().zip(written.left.iter()) {
                    *sum = (name, sum.1 + count);
                }
            }
            Piece::Elsewhere { games, .. } => self.elsewhere.extend(games.iter().map(|game| game.offset)),
            Piece::Judged { .. } => panic!("nothing is judged"),
        }
    }
}

/// Bytes that no text here has; sizes are added up, so it is not the largest number.
const IN_ONE: usize = 1 << 40;

fn in_chunks(text: &[u8], options: &Arc<Options>, block_bytes: usize, chunk_bytes: usize) -> Export {
    let mut exporter = Exporter::new(options.clone(), "games.pgn".to_owned());
    let mut chunker = Chunker::with_limits(0, Start::default(), chunk_bytes, Limits::STATED);
    let mut buffers = Buffers::default();
    let mut export = Export::default();
    let mut blocks = text.chunks(block_bytes);
    loop {
        while let Some(chunk) = chunker.next_chunk() {
            let pieces = work(&mut exporter, &chunk, &mut buffers).expect("nothing can fail");
            pieces.into_iter().for_each(|piece| export.add(piece));
            chunker.recycle(chunk);
        }
        match blocks.next() {
            Some(block) => chunker.feed(block),
            None if chunker.is_finished() => return export,
            None => chunker.finish(),
        }
    }
}

/// No game is taken for a plain one.
fn token_by_token(text: &[u8], options: &Arc<Options>) -> (Vec<u8>, u64) {
    let mut exporter = Exporter::new(options.clone(), "games.pgn".to_owned());
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::new(text, 0, Start::default(), &mut buffers);
    let mut written = Written::default();
    while let Some(region) = segmenter.next_region() {
        if region.is_game {
            exporter.game(&region, &mut written);
        }
    }
    (written.text, written.games)
}

/// Lines where a format is one of lines, and text that any program reads.
fn check_form(export: &Export, options: &Options, about: &dyn Fn() -> String) {
    let text = std::str::from_utf8(&export.text).unwrap_or_else(|_| panic!("no text: {}", about()));
    assert!(text.is_empty() || text.ends_with('\n'), "{}", about());
    let lines = text.split_terminator('\n').count() as u64;
    match options.format {
        Format::Pgn => {}
        Format::JsonLines => {
            assert_eq!((lines, export.numbers as u64), (export.games, export.games), "{}", about());
            assert!(text.chars().all(|sign| sign >= ' ' || sign == '\n'), "{}", about());
        }
        Format::Moves => assert_eq!(lines, export.games, "{}", about()),
        Format::Fen | Format::Epd => {
            assert_eq!(lines, export.keys.len() as u64, "{}", about());
            assert!(options.positions == Positions::Every || lines <= export.games, "{}", about());
        }
    }
}

/// The positions of each game: those that are asked for one by one are those that all are.
fn check_positions(text: &[u8]) {
    let lines = |start: Start, positions: Positions| {
        let options = Options { positions, keys: true, ..options(Format::Fen) };
        let mut exporter = Exporter::new(Arc::new(options), String::new());
        let mut buffers = Buffers::default();
        let mut segmenter = Segmenter::new(text, 0, start, &mut buffers);
        let mut written = Written::default();
        let region = segmenter.next_region()?;
        if region.is_game {
            exporter.game(&region, &mut written);
        }
        let next = segmenter.position();
        Some((String::from_utf8(written.text).expect("text"), written.keys, next))
    };
    let mut start = Start::default();
    while let Some((every, keys, next)) = lines(start, Positions::Every) {
        let every: Vec<&str> = every.lines().collect();
        let last = every.len().saturating_sub(1);
        for (positions, at) in [
            (Positions::Final, last),
            (Positions::After(0), 0),
            (Positions::After(last as u32 / 2), last / 2),
            (Positions::After(last as u32), last),
            (Positions::After(last as u32 + 1), every.len()),
        ] {
            let (found, _, _) = lines(start, positions).expect("the same game");
            assert_eq!(found.lines().next(), every.get(at).copied(), "{positions:?} of {}", text.escape_ascii());
        }
        for (line, key) in every.iter().zip(&keys) {
            let four = line.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ");
            let same = every.iter().zip(&keys).find(|(other, _)| other.starts_with(&format!("{four} "))).expect("itself");
            assert_eq!(same.1, key, "{line} in {}", text.escape_ascii());
            let board = understood(line, false).unwrap_or_else(|| panic!("{line} in {}", text.escape_ascii()));
            let mut read = String::new();
            push_sameness(&board, &mut read);
            assert_eq!(read, four, "{line} in {}", text.escape_ascii());
        }
        if next.at == start.at {
            break;
        }
        start = next;
    }
}
