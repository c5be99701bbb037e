//! Independent tasks on a fixed number of threads, each thread with a rayon pool of its own size one.
//!
//! Inside such a pool burn's CPU backend computes on the thread it is called from, so that as many
//! evaluations run at once as there are threads (docs/decisions/0005).

use std::sync::Mutex;

/// Runs `work` on every task, in any order; each thread takes the next task when it is free.
/// What the work does must not depend on which thread does it.
pub fn run<T: Send>(threads: usize, tasks: &mut [T], work: impl Fn(&mut T) + Sync) {
    let count = threads.clamp(1, tasks.len().max(1));
    let queue = Mutex::new(tasks.iter_mut());
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                alone(|| {
                    loop {
                        let next = queue.lock().map(|mut tasks| tasks.next());
                        match next {
                            Ok(Some(task)) => work(task),
                            // A poisoned queue means that another thread has panicked; the scope
                            // passes that panic on.
                            Ok(None) | Err(_) => break,
                        }
                    }
                });
            });
        }
    });
}

/// Runs `work` where burn's CPU backend uses the calling thread alone.
pub fn alone<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        // Without threads to spare the work still gets done.
        Err(_) => work(),
    }
}

/// The number of threads that the machine offers.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
