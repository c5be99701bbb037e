//! Files whose payload is used where it lies: mapped into memory, read page by page, never copied.

#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::frame::{Frame, FrameError, HEADER, Problem};

/// The payload of a mapped file, checked when it was opened (docs/decisions/0012).
#[derive(Debug)]
pub struct Mapping {
    map: Mmap,
}

impl Frame {
    /// Maps a file and checks its magic, kind, format, length and checksum, which reads it once.
    ///
    /// The file must not be written to in place while the mapping lives. tribord never does: it puts
    /// whole new files in the place of old ones, and a mapping keeps the old one.
    ///
    /// # Errors
    /// Everything that [`Problem`] names but content, with the path.
    pub fn map(&self, path: &Path) -> Result<Mapping, FrameError> {
        let map = || -> Result<Mapping, Problem> {
            let file = File::open(path)?;
            // SAFETY: the bytes are only ever copied out as integers, so a file that another program
            // changes in place gives wrong numbers, and one that it shortens ends this program
            // (SIGBUS). Neither can make the program use memory that is not its own.
            let map = unsafe { Mmap::map(&file) }?;
            self.payload(&map)?;
            Ok(Mapping { map })
        };
        map().map_err(|problem| FrameError {
            path: path.to_path_buf(),
            problem,
        })
    }
}

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        &self.map[HEADER..]
    }
}
