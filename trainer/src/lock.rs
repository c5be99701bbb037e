//! Files that one process at a time may go on with. The operating system gives them free when it ends.

use std::fs::{File, TryLockError};
use std::path::Path;

use anyhow::bail;

/// Takes a file for this process, as long as it is open. Where a file system knows no locks, nothing is taken.
///
/// # Errors
/// Another process, or another part of this one, has it.
pub fn take(file: &File, path: &Path) -> anyhow::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!(
            "{} is in use: another process goes on with this folder",
            path.display()
        ),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
