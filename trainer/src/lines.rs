//! Lines of text from outside, whatever bytes they hold.

use std::io::{self, BufRead};

/// The lines without their ends. Bytes that are not UTF-8 become U+FFFD, which no text of tribord holds:
/// whoever reads the line finds it wrong like any other, and the lines after it are still there.
pub fn lines(input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    input.split(b'\n').map(|line| {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        Ok(String::from_utf8_lossy(line).into_owned())
    })
}
