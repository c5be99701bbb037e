//! Programs that this one has started: they end when it does, with all that they have started in turn.

use std::io;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those that are under way, by the number of their process, which is that of their group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A program under way; dropping it ends it.
#[derive(Debug)]
pub struct Program(Child);

impl Program {
    /// Starts a program.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn start(command: &mut Command) -> io::Result<Program> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // Ctrl-C is for this program: it decides when the others stop.
            command.process_group(0);
        }
        // Whoever ends them all waits until this one is on the list.
        let mut running = running();
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Program(child))
    }
}

impl Deref for Program {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let mut running = running();
        kill_group(self.0.id());
        // A program that has ended already cannot be killed; either way it is waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
        running.retain(|&other| other != self.0.id());
    }
}

/// Ends this program at once, and those that it has started.
pub fn exit(code: u8) -> ! {
    // The list stays locked to the last: no thread starts a program now, and none goes on after one of
    // its programs has ended here, as if that were the program's fault.
    let running = running();
    running.iter().copied().for_each(kill_group);
    std::process::exit(code.into())
}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a program has started goes with it: its own group is killed. The standard library has no call for
/// that, and the shell of every Unix does.
fn kill_group(id: u32) {
    if cfg!(unix) {
        let _ = Command::new("sh")
            .args(["-c", "kill -KILL \"-$0\"", &id.to_string()])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}
