//! The container of every binary file of tribord: magic, kind, format version, length, checksum.
//!
//! ```text
//! "TRIBORD\n" | kind, 8 bytes | format u32 | payload length u64 | CRC-32 of all else u32 | payload
//! ```
//! Numbers are little-endian. A payload is encoded with bincode 2 (see docs/decisions/0003), decoded
//! only after its checksum has held and with a limit of its own length on what it may allocate. Payloads
//! that are used where they lie in the file are raw bytes instead ([`crate::mapping`]).

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bincode::config::standard;
use serde::{Serialize, de::DeserializeOwned};

const MAGIC: &[u8; 8] = b"TRIBORD\n";
pub(crate) const HEADER: usize = 8 + 8 + 4 + 8 + 4;
const CHECKSUM_AT: usize = HEADER - 4;

/// One kind of file: what it is called and the format that this build writes and reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Eight bytes that name the kind.
    pub kind: [u8; 8],
    /// The kind in words with their article, for messages.
    pub name: &'static str,
    /// The format version that this build writes; older ones are not read.
    pub format: u32,
}

/// A file that is not what it should be.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct FrameError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The operating system could not read or write it.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A folder in the place of a file.
    #[error("a folder in which there is no {}", files.join(" and no "))]
    Folder {
        /// The files that it could stand for.
        files: &'static [&'static str],
    },
    /// Foreign bytes.
    #[error("not {wanted} ({looks})")]
    Foreign {
        /// What was to be read.
        wanted: &'static str,
        /// What is there instead, and what to do.
        looks: &'static str,
    },
    /// Another kind of tribord file.
    #[error("a tribord file of kind '{found}' where {wanted} is needed")]
    OtherKind {
        /// The kind that the file states.
        found: String,
        /// The kind that was asked for.
        wanted: &'static str,
    },
    /// Another version of the format.
    #[error("written in format {found} of {name}; this build reads format {wanted}{hint}")]
    OtherFormat {
        /// The kind in words.
        name: &'static str,
        /// The format that the file states.
        found: u32,
        /// The format that this build reads.
        wanted: u32,
        /// What to do about it.
        hint: &'static str,
    },
    /// Cut short or prolonged.
    #[error("damaged or cut short: {expected} bytes expected, {found} found")]
    Length {
        /// Bytes that the header announces.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// Some byte changed.
    #[error("damaged: its checksum does not hold")]
    Checksum,
    /// The checksum holds but the content is not of the kind's form.
    #[error("not readable as {name}: {reason}")]
    Content {
        /// The kind in words.
        name: &'static str,
        /// The decoder's words.
        reason: String,
    },
}

impl Problem {
    /// A file of a kind in another version of its format than the one that this build reads.
    pub(crate) fn other_format(name: &'static str, found: u32, wanted: u32) -> Problem {
        let hint = if found > wanted {
            "; a newer tribord is needed"
        } else {
            ""
        };
        Problem::OtherFormat {
            name,
            found,
            wanted,
            hint,
        }
    }
}

impl Frame {
    /// A kind of file. `kind` must be eight bytes long.
    pub const fn new(kind: &[u8; 8], name: &'static str, format: u32) -> Frame {
        Frame {
            kind: *kind,
            name,
            format,
        }
    }

    /// The bytes of a file with this content.
    ///
    /// # Errors
    /// Content that bincode cannot encode.
    pub fn encode(&self, content: &impl Serialize) -> Result<Vec<u8>, Problem> {
        let mut bytes = vec![0; HEADER];
        bincode::serde::encode_into_std_write(content, &mut bytes, standard())
            .map_err(|error| self.content(error))?;
        let mut payload = crc32fast::Hasher::new();
        payload.update(&bytes[HEADER..]);
        let header = self.header((bytes.len() - HEADER) as u64, &payload);
        bytes[..HEADER].copy_from_slice(&header);
        Ok(bytes)
    }

    /// The header of a file with a payload of this length and checksum.
    fn header(&self, length: u64, payload: &crc32fast::Hasher) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..16].copy_from_slice(&self.kind);
        header[16..20].copy_from_slice(&self.format.to_le_bytes());
        header[20..CHECKSUM_AT].copy_from_slice(&length.to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&header[..CHECKSUM_AT]);
        hasher.combine(payload);
        header[CHECKSUM_AT..].copy_from_slice(&hasher.finalize().to_le_bytes());
        header
    }

    /// Reads the content of a file's bytes.
    ///
    /// # Errors
    /// Everything that [`Problem`] names but I/O.
    pub fn decode<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, Problem> {
        let payload = self.payload(bytes)?;
        let mut slice = payload;
        let decoded = decode_limited(&mut slice).map_err(|error| self.content(error))?;
        if !slice.is_empty() {
            return Err(self.content(format!("{} bytes are left over", slice.len())));
        }
        Ok(decoded)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Everything that [`Problem`] names, with the path.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<T, FrameError> {
        let read = || self.decode(&std::fs::read(path)?);
        read().map_err(|problem| FrameError {
            path: path.to_path_buf(),
            problem,
        })
    }

    /// Writes a file so that its final name never holds half of it: temporary name, sync, rename.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn write(&self, path: &Path, content: &impl Serialize) -> Result<(), FrameError> {
        let write = || Ok(write_whole(path, &self.encode(content)?)?);
        write().map_err(|problem| FrameError {
            path: path.to_path_buf(),
            problem,
        })
    }

    /// Writes a file whose payload is raw bytes that come in pieces, as [`Frame::write`] does.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn write_pieces(
        &self,
        path: &Path,
        pieces: impl Iterator<Item = Vec<u8>>,
    ) -> Result<(), FrameError> {
        let written = write_with(path, |file| {
            let (mut length, mut payload) = (0, crc32fast::Hasher::new());
            file.write_all(&[0; HEADER])?;
            for piece in pieces {
                file.write_all(&piece)?;
                payload.update(&piece);
                length += piece.len() as u64;
            }
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&self.header(length, &payload))
        });
        written.map_err(|error| FrameError {
            path: path.to_path_buf(),
            problem: error.into(),
        })
    }

    /// The payload of a file's bytes, checked but not decoded.
    pub(crate) fn payload<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], Problem> {
        if !bytes.starts_with(MAGIC) {
            return Err(Problem::Foreign {
                wanted: "a tribord file",
                looks: looks_like(bytes),
            });
        }
        if bytes.len() < HEADER {
            return Err(Problem::Length {
                expected: HEADER as u64,
                found: bytes.len() as u64,
            });
        }
        let number = |at: usize, size: usize| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(&bytes[at..at + size]);
            u64::from_le_bytes(word)
        };
        let kind = &bytes[8..16];
        let format = number(16, 4) as u32;
        let expected = HEADER as u64 + number(20, 8).min(u64::MAX / 2);
        let found = bytes.len() as u64;
        // The checksum comes first: a flipped byte anywhere is damage, not another kind or version.
        if found == expected && checksum(bytes) != number(CHECKSUM_AT, 4) as u32 {
            return Err(Problem::Checksum);
        }
        if kind != self.kind {
            return Err(Problem::OtherKind {
                found: String::from_utf8_lossy(kind).trim_end().to_string(),
                wanted: self.name,
            });
        }
        if format != self.format {
            return Err(Problem::other_format(self.name, format, self.format));
        }
        if found != expected {
            return Err(Problem::Length { expected, found });
        }
        Ok(&bytes[HEADER..])
    }

    fn content(&self, error: impl ToString) -> Problem {
        Problem::Content {
            name: self.name,
            reason: error.to_string(),
        }
    }
}

/// The most bytes in memory that one byte of a payload can stand for: a number of eight bytes that is
/// small enough to be written as one.
const MOST_EXPANSION: usize = 8;

/// Decodes from the front of a slice. bincode counts what it decodes by its size in memory against a
/// limit, and reserves no more than the limit leaves, so a wrong length never makes a huge allocation.
fn decode_limited<T: DeserializeOwned>(
    slice: &mut &[u8],
) -> Result<T, bincode::error::DecodeError> {
    // The limit is a type parameter; the smallest that holds the payload is chosen.
    macro_rules! within {
        ($($limit:literal),*) => {
            $(if slice.len().saturating_mul(MOST_EXPANSION) <= $limit {
                let config = standard().with_limit::<$limit>();
                let (value, read) = bincode::serde::decode_from_slice(slice, config)?;
                *slice = &slice[read..];
                return Ok(value);
            })*
        };
    }
    within!(
        0x10_0000,
        0x100_0000,
        0x1000_0000,
        0x1_0000_0000,
        0x100_0000_0000
    );
    Err(bincode::error::DecodeError::LimitExceeded)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM_AT]);
    hasher.update(&bytes[HEADER..]);
    hasher.finalize()
}

/// What foreign bytes look like, and what to do about it.
pub(crate) fn looks_like(bytes: &[u8]) -> &'static str {
    match bytes {
        [] => "it is empty",
        [0x1F, 0x8B, ..] => "it looks gzip-packed: unpack it first",
        [0x89, b'P', b'N', b'G', ..] => "it is a PNG image",
        [b'P', b'K', 3, 4, ..] => "it looks like a zip archive: unpack it first",
        _ if bytes.starts_with(MAGIC) => {
            "it looks like a file of tribord itself: such a net ends in .trb"
        }
        // The length of a header is small beside its eight bytes.
        [_, _, _, _, 0, 0, 0, 0, b'{', ..] => {
            "it looks like a safetensors file: such a net ends in .safetensors"
        }
        [0x08, 0x01..=0x20, ..] => "it looks like an ONNX file: such a net ends in .onnx",
        _ => "its first bytes are foreign",
    }
}

/// Writes bytes under a temporary name beside `path`, syncs them, renames, and syncs the folder.
///
/// # Errors
/// The operating system's reason. A file that was there before stays whole.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let path = destination(path)?;
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let mut file = File::create(&temporary)?;
    let written = fill(&mut file)
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&temporary, &path));
    drop(file);
    if written.is_err() {
        // What is half written serves nobody; that it may be impossible to remove is no further fault.
        let _ = std::fs::remove_file(&temporary);
        return written;
    }
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Where a file is written: links are followed, and nothing but a regular file is replaced.
fn destination(path: &Path) -> std::io::Result<PathBuf> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(std::io::Error::other(
            "it is there and is no regular file: choose another name",
        )),
        Ok(_) => std::fs::canonicalize(path),
        Err(_) => Ok(path.to_path_buf()),
    }
}
