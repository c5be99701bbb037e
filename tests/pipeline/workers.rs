//! Tasks on threads.

use std::ops::ControlFlow;
use std::sync::Mutex;

use trainer::workers;

#[test]
fn every_task_has_its_turns_on_any_number_of_threads() {
    for threads in [1, 2, 3, 8] {
        let mut tasks: Vec<(u32, u32)> = (0..7).map(|number| (number % 4 + 1, 0)).collect();
        workers::run_in_turns(threads, &mut tasks, |(wanted, had)| {
            *had += 1;
            if had < wanted {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        assert!(tasks.iter().all(|(wanted, had)| wanted == had), "{tasks:?}");
    }
}

#[test]
fn one_thread_gives_the_tasks_turns_in_rotation() {
    let order = Mutex::new(Vec::new());
    let mut tasks = [("a", 3), ("b", 1), ("c", 2)];
    workers::run_in_turns(1, &mut tasks, |(name, left)| {
        order.lock().unwrap().push(*name);
        *left -= 1;
        if *left > 0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(order.into_inner().unwrap(), ["a", "b", "c", "a", "c", "a"]);
}
