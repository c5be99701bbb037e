//! The speed of a network through each evaluator.

use std::sync::Arc;
use std::time::{Duration, Instant};

use models::{Forward, Kernel, Net, NetEvaluator};
use serde::Serialize;

use crate::dispatch::Playable;
use crate::machine::Machine;
use crate::workers;

/// How long each row is measured.
const A_ROW: Duration = Duration::from_millis(600);

const BATCHES: [usize; 4] = [1, 8, 32, 128];

/// One evaluator at one batch.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    evaluator: Kernel,
    threads: usize,
    batch: usize,
    positions_a_second: f64,
    gflops: f64,
}

/// Every evaluator that the device has, on one thread and on all, at every batch.
pub(super) fn table<G: Playable>(net: &Net, variant: &G::Variant, machine: &Machine) -> Vec<Row> {
    let kernels = match machine.choice.is_cpu() {
        true => &Kernel::ALL[..],
        false => &[Kernel::Burn],
    };
    let operations = net.operations(G::shape(variant)) as f64;
    let mut rows = Vec::new();
    for &evaluator in kernels {
        let machine = Machine {
            kernel: evaluator,
            ..machine.clone()
        };
        let forward = machine.forward::<G>(net, variant);
        let mut threads = vec![1, machine.threads];
        threads.dedup();
        for threads in threads {
            for batch in BATCHES {
                let rate = positions_a_second(&forward, threads, batch, A_ROW);
                rows.push(Row {
                    evaluator,
                    threads,
                    batch,
                    positions_a_second: rate,
                    gflops: rate * operations / 1e9,
                });
            }
        }
    }
    rows
}

/// Prints a table's rows.
pub(super) fn print(rows: &[Row]) {
    println!("evaluator threads  batch    positions/s    GFLOP/s");
    for row in rows {
        println!(
            "{:<9} {:>7} {:>6} {:>14.0} {:>10.1}",
            row.evaluator.name(),
            row.threads,
            row.batch,
            row.positions_a_second,
            row.gflops,
        );
    }
}

/// Some threads evaluate planes in batches of their own, with nothing between the batches.
pub(super) fn positions_a_second(
    forward: &Arc<Forward>,
    threads: usize,
    batch: usize,
    long_enough: Duration,
) -> f64 {
    let planes = vec![0.5; batch * forward.shape().input()];
    let mut tasks: Vec<_> = (0..threads)
        .map(|_| NetEvaluator::new(forward.clone(), 0))
        .collect();
    // The first batch makes the buffers.
    workers::run(threads, &mut tasks, |evaluator| {
        evaluator.forward(&planes);
    });
    let began = Instant::now();
    workers::run(threads, &mut tasks, |evaluator| {
        while began.elapsed() < long_enough {
            evaluator.forward(&planes);
        }
    });
    let positions: u64 = tasks.iter().map(|task| task.clock.positions).sum();
    (positions - (threads * batch) as u64) as f64 / began.elapsed().as_secs_f64()
}
