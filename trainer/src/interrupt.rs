//! Ctrl-C: the first one asks everything to stop and save, the second one ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted program.
pub const EXIT_CODE: u8 = 130;

/// Work ended early because the user asked for it; everything done so far is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Begins to listen for Ctrl-C and for the signal that ends processes.
pub fn listen() {
    let installed = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
        eprintln!("interrupted: saving; press Ctrl-C again to end at once");
    });
    if let Err(error) = installed {
        eprintln!("warning: Ctrl-C will not save the work: {error}");
    }
}

/// Whether the user has asked to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Asks everything to stop and save, as Ctrl-C does.
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}
