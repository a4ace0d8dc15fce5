//! A local file as a stream of unpacked bytes, with what must be told of the bytes as stored.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3;

use crate::decompress::{sniff, unpacked, HEAD_BYTES};

/// Stored bytes read at a time where they are packed.
const PACKED_BYTES: usize = 128 << 10;

/// What others may ask while the file is read.
#[derive(Debug, Default)]
pub struct Told {
    stored_bytes_read: AtomicU64,
    hash: Mutex<Option<u128>>,
}

impl Told {
    pub fn stored_bytes_read(&self) -> u64 {
        self.stored_bytes_read.load(Ordering::Relaxed)
    }

    /// xxh3_128 of the bytes as stored; None before all of them were read, and where it is not wanted.
    pub fn hash(&self) -> Option<u128> {
        *self.hash.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The stored bytes, counted and, where that is wanted, hashed.
struct Stored {
    file: File,
    xxh3: Option<Box<Xxh3>>,
    told: Arc<Told>,
}

impl Read for Stored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.told.stored_bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        if let Some(xxh3) = &mut self.xxh3 {
            xxh3.update(&buffer[..count]);
            if count == 0 && !buffer.is_empty() {
                *self.told.hash.lock().unwrap_or_else(PoisonError::into_inner) = Some(xxh3.digest128());
            }
        }
        Ok(count)
    }
}

/// The unpacked bytes. An error means that Python must read the file: what came before it is right.
pub struct Unpacked {
    bytes: Box<dyn Read + Send + Sync>,
}

impl Unpacked {
    /// The bytes, and whether they are packed. None for what Python must read: a pipe, a few bytes, an archive, something packed
    /// twice, UTF-16.
    pub fn open(path: &Path, with_hash: bool, told: Arc<Told>) -> io::Result<Option<(Unpacked, bool)>> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let xxh3 = with_hash.then(Box::default);
        let mut stored = BufReader::with_capacity(PACKED_BYTES, Stored { file, xxh3, told });
        let head = stored.fill_buf()?;
        if head.len() < HEAD_BYTES || is_utf16(head) {
            return Ok(None);
        }
        let Some(format) = sniff(head) else { return Ok(Some((Unpacked { bytes: Box::new(stored) }, false))) };
        let Some(bytes) = unpacked(format, stored) else { return Ok(None) };
        let mut bytes = BufReader::with_capacity(HEAD_BYTES, bytes);
        let head = bytes.fill_buf()?;
        if head.len() < HEAD_BYTES || is_utf16(head) || sniff(head).is_some() {
            return Ok(None);
        }
        Ok(Some((Unpacked { bytes: Box::new(bytes) }, true)))
    }

    /// The bytes from the stored byte `entry` on, which is any place in a plain file, or where a member, stream or frame of a
    /// packed one begins. None for what Python must read.
    pub fn open_at(path: &Path, entry: u64, told: Arc<Told>) -> io::Result<Option<(Unpacked, bool)>> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let mut head = [0; HEAD_BYTES];
        file.read_exact(&mut head)?;
        file.seek(SeekFrom::Start(entry))?;
        let stored = BufReader::with_capacity(PACKED_BYTES, Stored { file, xxh3: None, told });
        let bytes: Option<Box<dyn Read + Send + Sync>> = match sniff(&head) {
            None if is_utf16(&head) => None,
            None => return Ok(Some((Unpacked { bytes: Box::new(stored) }, false))),
            Some(format) => unpacked(format, stored),
        };
        Ok(bytes.map(|bytes| (Unpacked { bytes }, true)))
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

fn is_utf16(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")
}
