//! Networks to test with.

use burn::module::{Module, ModuleMapper, Param};
use burn::tensor::{Device, Tensor, TensorData};
use engine::Encode;
use engine::search::Params;
use models::artifact::outcomes;
use models::{Artifact, Net, NetConfig, Origin};

/// Adds small numbers to every weight: the last convolution of a fresh block is zero.
pub fn stirred(net: Net) -> Net {
    struct Stir(u32);
    impl ModuleMapper for Stir {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            param.map(|tensor| {
                let shape = tensor.dims();
                let count = shape.iter().product();
                // A linear congruential generator (Numerical Recipes).
                let noise: Vec<f32> = (0..count)
                    .map(|_| {
                        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (self.0 >> 8) as f32 / (1 << 24) as f32 * 0.2 - 0.1
                    })
                    .collect();
                let device = tensor.device();
                tensor + Tensor::from_data(TensorData::new(noise, shape), &device)
            })
        }
    }
    net.map(&mut Stir(1))
}

/// A small net of a game whose branches are not the zeros they begin with.
pub fn artifact<G: Encode>(variant: &G::Variant) -> Artifact {
    let config = NetConfig {
        blocks: 2,
        channels: 8,
        ..NetConfig::default()
    };
    let shape = G::shape(variant);
    let net = Net::new(&config, shape, outcomes::<G>(), 7, &Device::flex());
    let origin = Origin::of::<G>(variant, config, Params::default(), 50);
    Artifact::new(origin, stirred(net))
}
