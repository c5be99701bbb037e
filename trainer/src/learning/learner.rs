//! Learning steps: batches from the window, losses, AdamW, averaged weights.

use std::ops::ControlFlow;

use burn::grad_clipping::GradientClippingConfig;
use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsAccumulator, GradientsParams, ModuleOptimizer};
use burn::tensor::activation::log_softmax;
use burn::tensor::{Bytes, Device};
use engine::{Encode, Game};
use models::Net;
use models::artifact::{net_from_weights, outcomes, weights};
use serde::{Deserialize, Serialize};

use super::average::moved;
use super::batch::Batch;
use super::schedule::rate;
use super::window::Window;
use crate::config::Config;
use crate::workers;

/// The mean losses of some learning steps.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Losses {
    /// Cross-entropy of the policy over the legal moves, in nats, over the positions that have a target.
    pub policy: f64,
    /// Cross-entropy of the value's outcomes, in nats.
    pub value: f64,
}

/// A loss or weight that is not a number any more.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error(
    "learning step {step}: the {term} is not finite; the last good net is kept. \
     A lower learning.rate or learning.clip_norm may help"
)]
pub struct NotFinite {
    /// The learning step, from 0.
    pub step: u64,
    /// Which loss, or the weights.
    pub term: &'static str,
}

/// What a checkpoint keeps of a learner.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnerState {
    step: u64,
    weights: Vec<u8>,
    average: Vec<u8>,
    optimiser: Vec<u8>,
}

/// The learning network with its optimiser.
pub struct Learner<G: Game> {
    config: Config<G>,
    device: Device,
    net: Net,
    average: Net,
    optimiser: ModuleOptimizer,
    step: u64,
}

impl<G: Encode> Learner<G> {
    /// A learner with fresh weights.
    pub fn new(config: &Config<G>, device: &Device) -> Learner<G> {
        let shape = G::shape(&config.game.variant);
        let learning = device.clone().autodiff();
        let net = Net::new(
            &config.net,
            shape,
            outcomes::<G>(),
            config.run.seed,
            &learning,
        );
        Learner {
            average: net.valid(),
            net,
            optimiser: optimiser(config),
            config: config.clone(),
            device: learning,
            step: 0,
        }
    }

    /// A learner as a checkpoint kept it.
    ///
    /// # Errors
    /// Weights or optimiser state that do not fit the configuration.
    pub fn restore(
        config: &Config<G>,
        state: LearnerState,
        device: &Device,
    ) -> Result<Learner<G>, String> {
        let shape = G::shape(&config.game.variant);
        let learning = device.clone().autodiff();
        let load = |weights, device: &Device| {
            net_from_weights(&config.net, shape, outcomes::<G>(), weights, device)
        };
        let net = load(state.weights, &learning)?;
        let average = load(state.average, device)?;
        let record =
            burn::optim::OptimizerRecord::from_bytes(Bytes::from_bytes_vec(state.optimiser));
        let record = record.map_err(|error| error.to_string())?;
        let moments = record.len();
        let optimiser = optimiser(config).load_record(record);
        // burn attaches optimiser state by parameter identity and drops what it cannot attach.
        let attached = optimiser.to_record().len();
        if attached != moments {
            return Err(format!(
                "{attached} of {moments} optimiser tensors could be attached"
            ));
        }
        Ok(Learner {
            config: config.clone(),
            device: learning,
            net,
            average,
            optimiser,
            step: state.step,
        })
    }

    /// Takes over the weights of a net of the same sizes, before the first step.
    ///
    /// # Errors
    /// Weights of other sizes.
    pub fn with_weights(self, net: &Net) -> Result<Learner<G>, String> {
        let shape = G::shape(&self.config.game.variant);
        let weights = weights(net);
        let (config, outcomes) = (self.config.net, outcomes::<G>());
        Ok(Learner {
            net: net_from_weights(&config, shape, outcomes, weights, &self.device)?,
            average: net.clone(),
            ..self
        })
    }

    /// Forgets the optimiser's moments on purpose, for a new stage.
    pub fn with_fresh_optimiser(mut self) -> Learner<G> {
        self.optimiser = optimiser(&self.config);
        self
    }

    /// What a checkpoint keeps.
    ///
    /// # Errors
    /// Weights that are not finite are never written.
    pub fn state(&self) -> Result<LearnerState, NotFinite> {
        let learning = self.net.valid();
        if !learning.is_finite() || !self.average.is_finite() {
            return Err(NotFinite {
                step: self.step,
                term: "weights",
            });
        }
        let optimiser = self.optimiser.to_record().into_bytes();
        Ok(LearnerState {
            step: self.step,
            weights: weights(&learning),
            average: weights(&self.average),
            optimiser: optimiser.expect("moments in memory can be packed").to_vec(),
        })
    }

    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The averaged net, which acts.
    pub fn average(&self) -> Net {
        self.average.clone()
    }

    /// The rate of the next step.
    pub fn rate(&self) -> f64 {
        rate(&self.config.learning, self.step, self.config.total_steps())
    }

    /// Takes steps on batches drawn from the window, which is not empty, until it has taken `last` in all
    /// or `after`, which is told each step's losses, breaks. The next batch is drawn while a step runs;
    /// a draw depends on the seed and the step alone.
    ///
    /// # Errors
    /// A loss that is not finite; the weights stay as they were before that step.
    pub fn learn(
        &mut self,
        window: &Window<G>,
        last: u64,
        mut after: impl FnMut(u64, Losses) -> ControlFlow<()>,
    ) -> Result<(), NotFinite> {
        let (config, first) = (self.config.clone(), self.step);
        // One batch waits while the next is drawn.
        let (drawn, batches) = std::sync::mpsc::sync_channel(1);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let ahead = (first..last).map(|step| Batch::draw(&config, window, step));
                for batch in ahead {
                    // The steps may end before the last.
                    if drawn.send(batch).is_err() {
                        break;
                    }
                }
            });
            for batch in batches {
                let losses = self.step_on(batch)?;
                if after(self.step, losses).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn step_on(&mut self, batch: Batch) -> Result<Losses, NotFinite> {
        let learning = self.config.learning.clone();
        let mut parts: Vec<_> = batch
            .split(learning.parts)
            .into_iter()
            // Every part has leaves of its own, so that no two threads share a graph.
            .map(|batch| Part {
                net: self.net.clone().fork(&self.device),
                batch: Some(batch),
                answer: None,
            })
            .collect();
        let device = &self.device;
        workers::run(learning.parts, &mut parts, |part| {
            part.run(device, learning.value_weight)
        });

        let mut losses = Losses::default();
        let mut accumulator = GradientsAccumulator::new();
        for part in parts {
            let (gradients, of_part) = part.answer.expect("every part has been run");
            losses.policy += of_part.policy;
            losses.value += of_part.value;
            accumulator.accumulate(&self.net, gradients);
        }
        for (term, loss) in [("policy loss", losses.policy), ("value loss", losses.value)] {
            if !loss.is_finite() {
                return Err(NotFinite {
                    step: self.step,
                    term,
                });
            }
        }
        let rate = self.rate();
        self.net = self
            .optimiser
            .step(rate, self.net.clone(), accumulator.grads());
        // Early averages would be dominated by the initial weights: keep less of them at first.
        let keep = learning
            .average_keep
            .min((1.0 + self.step as f64) / (10.0 + self.step as f64));
        self.average = moved(self.average.clone(), &self.net.valid(), keep);
        self.step += 1;
        Ok(losses)
    }
}

/// A part of a batch with a copy of the network: what one thread works on.
struct Part {
    net: Net,
    batch: Option<Batch>,
    answer: Option<(GradientsParams, Losses)>,
}

impl Part {
    /// The part's share of the losses, and the gradients of that share.
    fn run(&mut self, device: &Device, value_weight: f64) {
        let Some(batch) = self.batch.take() else {
            return;
        };
        let (targets, positions) = (batch.targets, batch.positions);
        let tensors = batch.upload(device);
        let (policy, value) = self.net.forward(tensors.planes);
        // Illegal moves get no probability and so no gradient.
        let policy = policy.mask_fill(tensors.illegal, -1e9);
        let policy_loss = (log_softmax(policy, 1) * tensors.policy).sum().neg();
        let policy_loss = policy_loss.div_scalar(targets);
        let value_loss = (log_softmax(value, 1) * tensors.value).sum().neg();
        let value_loss = value_loss.div_scalar(positions);
        let loss = policy_loss.clone() + value_loss.clone().mul_scalar(value_weight);
        let losses = Losses {
            policy: f64::from(policy_loss.into_scalar::<f32>()),
            value: f64::from(value_loss.into_scalar::<f32>()),
        };
        let gradients = GradientsParams::from_grads(loss.backward(), &self.net);
        self.answer = Some((gradients, losses));
    }
}

fn optimiser<G: Game>(config: &Config<G>) -> ModuleOptimizer {
    AdamWConfig::new()
        .with_epsilon(1e-8)
        .with_weight_decay(config.learning.weight_decay as f32)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(
            config.learning.clip_norm as f32,
        )))
        .init()
}
