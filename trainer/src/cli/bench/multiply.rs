//! The matrix multiply that evaluators are measured against.

use std::time::{Duration, Instant};

use burn::tensor::{Device, Tensor};

use crate::workers;

/// Rows and columns of the matrices.
const SIDE: usize = 1024;

/// Billions of operations a second of burn's matrix multiply on the processor: on one thread, and on all
/// of the machine.
pub(super) fn gflops(long_enough: Duration) -> [f64; 2] {
    let product = || {
        let matrix = Tensor::<2>::ones([SIDE, SIDE], &Device::flex());
        let multiply = || std::hint::black_box(matrix.clone().matmul(matrix.clone()));
        multiply();
        let began = Instant::now();
        let mut count = 0;
        while began.elapsed() < long_enough {
            multiply();
            count += 1;
        }
        let operations = f64::from(count) * 2.0 * (SIDE as f64).powi(3);
        operations / began.elapsed().as_secs_f64() / 1e9
    };
    [workers::alone(product), product()]
}
