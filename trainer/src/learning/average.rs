//! The exponential moving average of the weights: the net that acts.

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::Tensor;
use models::Net;

/// Moves the averaged net towards the learning one: `average = keep * average + (1 - keep) * learning`.
/// Both must be off the autodiff device.
pub(super) fn moved(average: Net, learning: &Net, keep: f64) -> Net {
    let mut collect = Collect(Vec::new());
    learning.visit(&mut collect);
    collect.0.reverse();
    let mut mix = Mix {
        latest: collect.0,
        keep,
    };
    average.map(&mut mix)
}

struct Collect(Vec<Tensor<1>>);

impl ModuleVisitor for Collect {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.0.push(param.val().flatten::<1>(0, D - 1));
    }
}

/// Visits the same parameters in the same order; the latest weights are taken from the back.
struct Mix {
    latest: Vec<Tensor<1>>,
    keep: f64,
}

impl ModuleMapper for Mix {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let latest = self
            .latest
            .pop()
            .expect("both nets have the same parameters");
        let keep = self.keep;
        param.map(|average| {
            let latest = latest.reshape(average.shape());
            average.mul_scalar(keep) + latest.mul_scalar(1.0 - keep)
        })
    }
}
