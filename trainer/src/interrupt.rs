//! Ctrl-C: it ends the program at once where there is nothing to save. Otherwise the first one asks
//! everything to stop and save, and the second one ends the program.

use std::io::{Write, stderr};
use std::sync::atomic::{AtomicU8, Ordering};

use crate::programs;

/// What Ctrl-C means at the moment.
static STATE: AtomicU8 = AtomicU8::new(NOTHING_TO_SAVE);

const NOTHING_TO_SAVE: u8 = 0;
const SAVES: u8 = 1;
const REQUESTED: u8 = 2;

/// The exit code of an interrupted program.
pub const EXIT_CODE: u8 = 130;

/// Work ended early because the user asked for it; what was to be saved is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Begins to listen for Ctrl-C and for the signal that ends processes, before any work: programs that
/// this one has started would outlive it if the signal itself ended it.
pub fn listen() {
    // What was ignored stays ignored, as under nohup.
    let ignored = ignored();
    let installed = ctrlc::set_handler(|| {
        let saves = STATE.compare_exchange(SAVES, REQUESTED, Ordering::Relaxed, Ordering::Relaxed);
        let words = match saves {
            Ok(_) => "interrupted: saving; press Ctrl-C again to end at once",
            Err(_) => "error: interrupted",
        };
        // Where standard error takes no words the signal still counts.
        let _ = writeln!(stderr(), "{words}");
        if saves.is_err() {
            programs::exit(EXIT_CODE);
        }
    });
    if let Err(error) = installed {
        eprintln!("warning: Ctrl-C will not save the work: {error}");
    }
    ignored.into_iter().for_each(ignore);
}

/// Those of the signals that the process was told to ignore when it began.
#[cfg(unix)]
#[allow(unsafe_code)]
fn ignored() -> Vec<i32> {
    let is_ignored = |&signal: &i32| {
        // SAFETY: without a new action this only writes the present one, and zeros are one.
        let (found, action) = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let found = libc::sigaction(signal, std::ptr::null(), &mut action);
            (found, action)
        };
        found == 0 && action.sa_sigaction == libc::SIG_IGN
    };
    let signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
    signals.into_iter().filter(is_ignored).collect()
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn ignore(signal: i32) {
    // SAFETY: no code of this process runs for a signal that is ignored.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Other systems have no such signals.
#[cfg(not(unix))]
fn ignored() -> Vec<i32> {
    Vec::new()
}

#[cfg(not(unix))]
fn ignore(_signal: i32) {}

/// From now on there is work to save, so that Ctrl-C asks first.
pub fn save_first() {
    STATE.store(SAVES, Ordering::Relaxed);
}

/// Whether work that is saved is to stop, as the user wants it.
pub fn requested() -> bool {
    STATE.load(Ordering::Relaxed) == REQUESTED
}

/// Asks everything to stop and save, as Ctrl-C does.
pub fn request() {
    STATE.store(REQUESTED, Ordering::Relaxed);
}
