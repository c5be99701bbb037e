//! Independent tasks on a fixed number of threads, each thread with a rayon pool of its own size one.
//!
//! Inside such a pool burn's CPU backend computes on the thread it is called from, so that as many
//! evaluations run at once as there are threads (docs/decisions/0005).

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Runs `work` on every task, in any order; each thread takes the next task when it is free.
/// What the work does must not depend on which thread does it.
pub fn run<T: Send>(threads: usize, tasks: &mut [T], work: impl Fn(&mut T) + Sync) {
    run_in_turns(threads, tasks, |task| {
        work(task);
        ControlFlow::Break(())
    });
}

/// Runs `turn` on the tasks in rotation, on each until it breaks, so that few long tasks end at about
/// the same time and no thread waits for long.
pub fn run_in_turns<T: Send>(
    threads: usize,
    tasks: &mut [T],
    turn: impl Fn(&mut T) -> ControlFlow<()> + Sync,
) {
    let count = threads.clamp(1, tasks.len().max(1));
    let queue: Mutex<VecDeque<&mut T>> = Mutex::new(tasks.iter_mut().collect());
    // A poisoned queue means that another thread has panicked; the scope passes that panic on.
    let next = || queue.lock().ok()?.pop_front();
    let again = |task| {
        if let Ok(mut tasks) = queue.lock() {
            tasks.push_back(task);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                alone(|| {
                    // A task that is not in the queue comes back to a thread that is still here.
                    while let Some(task) = next() {
                        if turn(task).is_continue() {
                            again(task);
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
