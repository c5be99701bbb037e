//! Networks to test with.

use burn::tensor::Device;
use engine::Encode;
use engine::search::Params;
use models::artifact::outcomes;
use models::{Artifact, Net, NetConfig, Origin};

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
    Artifact {
        licence: Some("CC0-1.0".into()),
        ..Artifact::new(origin, net.stirred(1))
    }
}
