//! The parameters of a search: one struct for both methods.

use serde::{Deserialize, Serialize};

/// How the root spreads its simulations and how interior nodes choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Sequential halving over Gumbel-sampled moves and the improved policy inside the tree
    /// (Danihelka et al., Policy improvement by planning with Gumbel, 2022).
    #[default]
    Gumbel,
    /// Predictor + upper confidence bound (Rosin 2011, as in Silver et al. 2017).
    Puct,
}

/// Search parameters; every field has a default, so a config names only what it changes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Gumbel or PUCT.
    pub method: Method,
    /// Gumbel: the most root moves that sequential halving considers.
    pub considered: u32,
    /// Gumbel: visits added to the weight of the values against the priors (c_visit).
    pub value_visits: f64,
    /// Gumbel: weight of a value on the scale from 0 to 1 for each of those visits (c_scale).
    pub value_scale: f64,
    /// PUCT: weight of the priors (c_puct).
    pub exploration: f64,
    /// PUCT: how much worse than its parent an unvisited move is held to be, at full visited prior.
    pub first_play_reduction: f64,
    /// PUCT: share of Dirichlet noise in the root priors where a search asks for noise.
    pub noise_share: f64,
    /// PUCT: total concentration of that noise, spread over the legal moves.
    pub noise_concentration: f64,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            method: Method::Gumbel,
            considered: 16,
            value_visits: 50.0,
            value_scale: 0.1,
            exploration: 1.5,
            first_play_reduction: 0.2,
            noise_share: 0.25,
            noise_concentration: 10.0,
        }
    }
}

impl Params {
    /// The parameters that are out of their range, each with the range.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let above_0 = |number: f64| number.is_finite() && number > 0.0;
        let ranges = [
            (self.considered >= 1, "considered", "at least 1"),
            (
                self.value_visits.is_finite() && self.value_visits >= 0.0,
                "value_visits",
                "a finite number, at least 0",
            ),
            (above_0(self.value_scale), "value_scale", ABOVE_0),
            (above_0(self.exploration), "exploration", ABOVE_0),
            (
                (0.0..=2.0).contains(&self.first_play_reduction),
                "first_play_reduction",
                "from 0 to 2",
            ),
            (
                (0.0..=1.0).contains(&self.noise_share),
                "noise_share",
                "from 0 to 1",
            ),
            (
                above_0(self.noise_concentration),
                "noise_concentration",
                ABOVE_0,
            ),
        ];
        let faults = ranges.into_iter().filter(|(holds, ..)| !holds);
        faults.map(|(_, key, range)| (key, range))
    }
}

const ABOVE_0: &str = "a finite number above 0";

/// What one search may spend and how much it leaves to chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// Simulations after the evaluation of the root.
    pub simulations: u32,
    /// 0 chooses the best move; 1 samples: Gumbel noise at full scale, or PUCT visits as they are.
    pub temperature: f64,
    /// Whether PUCT mixes noise into the root priors.
    pub noise: bool,
}

impl Budget {
    /// A search that always chooses what it holds best.
    pub const fn play(simulations: u32) -> Budget {
        Budget {
            simulations,
            temperature: 0.0,
            noise: false,
        }
    }
}
