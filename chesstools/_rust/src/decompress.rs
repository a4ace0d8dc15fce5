//! gzip, bzip2, xz and zstd, told apart by their first bytes. The counterpart of `chesstools/compression.py`.
//!
//! Here is only what well-formed data needs. Whatever is wrong with it (cut, damaged, followed by something else) is left to the
//! Python module, which then reads the source again: it says what is wrong in the same words whichever engine runs.

use std::io::{self, BufRead, Read};

use crate::limits::MAX_ZSTD_WINDOW_LOG;

/// Bytes that `sniff` wants to see.
pub const HEAD_BYTES: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    /// Read by Python: its members are sources of their own.
    Zip,
}

/// The format that begins with these bytes, if they are those of one.
pub fn sniff(head: &[u8]) -> Option<Format> {
    let bzip2_mark = |head: &[u8]| head.starts_with(b"1AY&SY") || head.starts_with(b"\x17\x72\x45\x38\x50\x90");
    Some(match head {
        [0x1f, 0x8b, ..] => Format::Gzip,
        [b'B', b'Z', b'h', b'1'..=b'9', mark @ ..] if bzip2_mark(mark) => Format::Bzip2,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Format::Xz,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Format::Zstd,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Format::Zip,
        _ => return None,
    })
}

/// The unpacked data: all members, streams or frames one after the other. None for a format that is not read here.
pub fn unpacked(format: Format, stored: impl BufRead + Send + Sync + 'static) -> Option<Box<dyn Read + Send + Sync>> {
    Some(match format {
        Format::Gzip => Box::new(HeldBack::new(flate2::bufread::MultiGzDecoder::new(stored))),
        Format::Bzip2 => Box::new(HeldBack::new(bzip2::bufread::MultiBzDecoder::new(stored))),
        Format::Xz => Box::new(HeldBack::new(liblzma::bufread::XzDecoder::new_multi_decoder(stored))),
        Format::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(stored).ok()?;
            decoder.window_log_max(MAX_ZSTD_WINDOW_LOG).ok()?;
            Box::new(decoder)
        }
        Format::Zip => return None,
    })
}

/// In front of a damaged place decoders differ in how much they still give. So this much is held back until the data behind
/// it has come, or its end: what was given before an error, the decoders of Python give too.
const HELD_BACK: usize = 64 << 10;

struct HeldBack<R> {
    inner: R,
    /// `buffer[at..end]` has been unpacked.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    finished: bool,
}

impl<R: Read> HeldBack<R> {
    fn new(inner: R) -> HeldBack<R> {
        HeldBack { inner, buffer: vec![0; 4 * HELD_BACK], at: 0, end: 0, finished: false }
    }

    /// How much can be given.
    fn certain(&self) -> usize {
        (self.end - self.at).saturating_sub(if self.finished { 0 } else { HELD_BACK })
    }
}

impl<R: Read> Read for HeldBack<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.certain() == 0 && !self.finished {
            if self.end == self.buffer.len() {
                self.buffer.copy_within(self.at..self.end, 0);
                (self.at, self.end) = (0, self.end - self.at);
            }
            let count = self.inner.read(&mut self.buffer[self.end..])?;
            self.end += count;
            self.finished = count == 0;
        }
        let count = self.certain().min(out.len());
        out[..count].copy_from_slice(&self.buffer[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_given_at_the_end_and_less_before_an_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::InvalidData.into())
            }
        }
        let data: Vec<u8> = (0..900_000_u32).map(|number| number as u8).collect();
        let mut out = Vec::new();
        HeldBack::new(&data[..]).read_to_end(&mut out).unwrap();
        assert_eq!(out, data);
        out.clear();
        assert!(HeldBack::new(data.as_slice().chain(Broken)).read_to_end(&mut out).is_err());
        assert_eq!(out, data[..data.len() - HELD_BACK]);
    }

    #[test]
    fn formats_by_their_first_bytes() {
        assert_eq!(sniff(b"\x1f\x8b\x08"), Some(Format::Gzip));
        assert_eq!(sniff(b"BZh91AY&SY"), Some(Format::Bzip2));
        assert_eq!(sniff(b"BZh91AY&S"), None);
        assert_eq!(sniff(b"\x5a\x2a\x4d\x18"), Some(Format::Zstd));
        assert_eq!(sniff(b"[Event \"a\"]"), None);
    }
}
