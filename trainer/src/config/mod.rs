//! Configuration: a TOML file and `--set` options become a checked plan; nothing below checks again.

mod check;
mod load;

use std::path::{Path, PathBuf};

use engine::search::Params;
use engine::{Game, TextError, opening};
use models::{Kernel, NetConfig, NetEvaluator};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use check::{ConfigError, Fault};
pub use load::{check_file, game_of, load, load_like};

/// Everything that a training run is asked to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct Config<G: Game> {
    /// Which game, from which starts, under which options.
    pub game: GameSection<G>,
    /// Length and seed of the run.
    #[serde(default)]
    pub run: RunSection,
    /// The sizes of the network.
    #[serde(default)]
    pub net: NetConfig,
    /// The search of self-play.
    #[serde(default)]
    pub search: Params,
    /// How games are played against oneself.
    #[serde(default)]
    pub selfplay: SelfplaySection,
    /// How the network learns from them.
    #[serde(default)]
    pub learning: LearningSection,
    /// When a new net may replace the acting one.
    #[serde(default)]
    pub gate: GateSection,
    /// The short ladder at the end.
    #[serde(default)]
    pub ladder: LadderSection,
    /// Exact values, and what they are used for.
    #[serde(default)]
    pub truth: TruthSection,
}

/// `[game]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct GameSection<G: Game> {
    /// The game's name.
    pub name: String,
    /// How first positions are made.
    #[serde(default)]
    pub start: G::Start,
    /// The rule options.
    #[serde(default)]
    pub variant: G::Variant,
    /// Ways to begin among which the groups of self-play are dealt out; without any, all games begin
    /// with `start`.
    #[serde(default)]
    pub mixture: Vec<Beginning<G>>,
}

/// An entry of `[[game.mixture]]`: how the games of some groups begin.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct Beginning<G: Game> {
    /// Its share of the groups.
    pub share: f64,
    /// How first positions are made.
    #[serde(default)]
    pub start: G::Start,
    /// Position texts to begin with instead, all equally likely. In a file, `file = "PATH"` reads them
    /// from lines of text.
    #[serde(default)]
    pub positions: Vec<String>,
    /// The rule options, where they differ from those of the run: a network that serves every board
    /// size can learn from several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<G::Variant>,
}

impl<G: Game> GameSection<G> {
    /// How the games of a group begin; the groups are dealt out by the shares.
    pub fn beginning(&self, group: usize, groups: usize) -> Beginning<G> {
        let total: f64 = self.mixture.iter().map(|entry| entry.share).sum();
        let mut left = (group as f64 + 0.5) / groups as f64 * total;
        let chosen = self.mixture.iter().find(|entry| {
            left -= entry.share;
            left < 0.0
        });
        chosen
            .or(self.mixture.last())
            .cloned()
            .unwrap_or_else(|| Beginning {
                share: 1.0,
                start: self.start.clone(),
                positions: Vec::new(),
                variant: None,
            })
    }

    /// The rule options that self-play uses, those of the run itself first.
    pub fn variants(&self) -> impl Iterator<Item = &G::Variant> {
        let others = self
            .mixture
            .iter()
            .filter_map(|entry| entry.variant.as_ref());
        std::iter::once(&self.variant).chain(others)
    }
}

impl<G: Game> Beginning<G> {
    /// The rule options in force, where the run has those of `run`.
    pub fn variant<'a>(&'a self, run: &'a G::Variant) -> &'a G::Variant {
        self.variant.as_ref().unwrap_or(run)
    }

    /// A first position under the rule options of the run, or its own, followed by random plies.
    ///
    /// # Errors
    /// A start that cannot be made.
    pub fn first_position(
        &self,
        variant: &G::Variant,
        plies: u32,
        draws: &mut ChaCha8Rng,
    ) -> Result<G, TextError> {
        let variant = self.variant(variant);
        let start = |draws: &mut ChaCha8Rng| match self.positions.len() {
            0 => G::start(variant, &self.start, draws),
            count => G::parse(&self.positions[draws.random_range(0..count)], variant),
        };
        opening::after_random_plies(start, plies, draws)
    }
}

/// `[run]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunSection {
    /// Everything random follows from this number.
    pub seed: u64,
    /// Rounds of self-play and learning.
    pub rounds: u64,
    /// A net whose weights the run begins with, of the same sizes; none if empty. A game whose nets
    /// serve every board size can so go on from small boards to larger ones.
    pub from: PathBuf,
}

/// `[selfplay]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfplaySection {
    /// Groups of games; each is one task for one thread.
    pub groups: usize,
    /// Games in progress in a group, and so the largest batch of its evaluations.
    pub slots: usize,
    /// Searched positions a round.
    pub positions: u64,
    /// Games begin with up to this many random plies, each number being equally likely.
    pub opening_plies: u32,
    /// Simulations of a full search; its policy is a target.
    pub full_simulations: u32,
    /// Simulations of a cheap search; only its game's result and value are targets.
    pub cheap_simulations: u32,
    /// Factors on both by the phase of the game (Jiu: layout, battle); the last serves later phases too.
    pub phase_effort: Vec<f64>,
    /// Share of full searches (playout cap randomisation, Wu 2019).
    pub full_share: f64,
    /// Temperature of the first plies.
    pub temperature: f64,
    /// How many plies those are.
    pub temperature_plies: u32,
    /// Temperature afterwards.
    pub late_temperature: f64,
    /// A side whose value falls below this resigns; -1 never does.
    pub resign_below: f64,
    /// Share of games that are played on after a resignation would be due, to measure false ones.
    pub resign_check_share: f64,
    /// Answers of the net that a group keeps in self-play.
    pub kept_answers: usize,
    /// Which code evaluates the networks of the run: in self-play, at the gate and on the ladder.
    pub evaluator: Kernel,
}

/// `[learning]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningSection {
    /// Positions a learning step.
    pub batch: usize,
    /// Parts of a batch that are learned from side by side, one thread each; the sums of their gradients,
    /// and so the nets, depend on this number and not on the threads of the machine.
    pub parts: usize,
    /// How often a position is learned from on average.
    pub reuse: f64,
    /// Positions in the replay window at first.
    pub window: u64,
    /// How the window grows with all positions so far: 0 not at all, 1 in proportion.
    pub window_growth: f64,
    /// The largest window.
    pub window_limit: u64,
    /// Highest learning rate.
    pub rate: f64,
    /// Share of it that is left at the end of the cosine.
    pub final_rate_share: f64,
    /// Steps of linear warm-up.
    pub warmup_steps: u64,
    /// Decoupled weight decay (AdamW).
    pub weight_decay: f64,
    /// Largest norm of a parameter's gradient.
    pub clip_norm: f64,
    /// Share of the averaged weights that a step keeps; the averaged net is the one that acts.
    pub average_keep: f64,
    /// Share of the search's value in the value target; the rest is the game's result.
    pub search_value_share: f64,
    /// Weight of the value loss against the policy loss.
    pub value_weight: f64,
}

/// `[gate]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GateSection {
    /// Pairs of games between candidate and acting net after each round; 0 lets every candidate act.
    pub pairs: u64,
    /// Random first plies of each pair.
    pub opening_plies: u32,
    /// The least score, draws counted half, with which a candidate is accepted.
    pub threshold: f64,
    /// Simulations a move.
    pub simulations: u32,
}

/// `[ladder]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LadderSection {
    /// How many of the run's nets play, evenly spread, the last one always.
    pub nets: usize,
    /// Simulations of a net's move.
    pub simulations: u32,
    /// The opponents, as player specs.
    pub opponents: Vec<String>,
    /// Random first plies of each pair.
    pub opening_plies: u32,
    /// Pairs of games of each match; 0 plays no ladder.
    pub pairs: u64,
}

/// `[truth]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TruthSection {
    /// A file of exact values; empty for none.
    pub tables: String,
    /// Whether leaves of self-play's searches that the table covers take its values.
    pub leaf_values: bool,
    /// Whether positions that the table covers take its values as value targets.
    pub targets: bool,
    /// Positions on which the acting net's regret is measured after each round; 0 measures none.
    pub positions: usize,
    /// Simulations of its moves there.
    pub simulations: u32,
}

impl TruthSection {
    /// The table file, if one is named.
    pub fn file(&self) -> Option<&Path> {
        (!self.tables.is_empty()).then(|| Path::new(&self.tables))
    }
}

impl Default for TruthSection {
    fn default() -> Self {
        TruthSection {
            tables: String::new(),
            leaf_values: false,
            targets: false,
            positions: 300,
            simulations: 16,
        }
    }
}

impl Default for RunSection {
    fn default() -> Self {
        RunSection {
            seed: 1,
            rounds: 20,
            from: PathBuf::new(),
        }
    }
}

impl Default for SelfplaySection {
    fn default() -> Self {
        SelfplaySection {
            groups: 4,
            slots: 32,
            positions: 10_000,
            opening_plies: 0,
            full_simulations: 32,
            cheap_simulations: 8,
            phase_effort: vec![1.0],
            full_share: 0.25,
            temperature: 1.0,
            temperature_plies: 8,
            late_temperature: 0.5,
            resign_below: -1.0,
            resign_check_share: 0.1,
            kept_answers: NetEvaluator::KEPT,
            evaluator: Kernel::Auto,
        }
    }
}

impl Default for LearningSection {
    fn default() -> Self {
        LearningSection {
            batch: 256,
            parts: 2,
            reuse: 3.0,
            window: 50_000,
            window_growth: 0.5,
            window_limit: 500_000,
            rate: 0.002,
            final_rate_share: 0.05,
            warmup_steps: 100,
            weight_decay: 1e-4,
            clip_norm: 1.0,
            average_keep: 0.995,
            search_value_share: 0.5,
            value_weight: 1.0,
        }
    }
}

impl Default for GateSection {
    fn default() -> Self {
        GateSection {
            pairs: 0,
            opening_plies: 0,
            threshold: 0.55,
            simulations: 16,
        }
    }
}

impl Default for LadderSection {
    fn default() -> Self {
        LadderSection {
            nets: 3,
            simulations: 64,
            opponents: vec!["random".into(), "rollout:sims=200".into()],
            opening_plies: 0,
            pairs: 100,
        }
    }
}

impl<G: Game> Config<G> {
    /// The configuration that a file without any key but the game's name stands for.
    pub fn of_game() -> Config<G> {
        Config {
            game: GameSection {
                name: G::NAME.to_string(),
                start: G::Start::default(),
                variant: G::Variant::default(),
                mixture: Vec::new(),
            },
            run: RunSection::default(),
            net: NetConfig::default(),
            search: Params::default(),
            selfplay: SelfplaySection::default(),
            learning: LearningSection::default(),
            gate: GateSection::default(),
            ladder: LadderSection::default(),
            truth: TruthSection::default(),
        }
    }

    /// Learning steps of a round.
    pub fn steps_per_round(&self) -> u64 {
        let steps =
            self.learning.reuse * self.selfplay.positions as f64 / self.learning.batch as f64;
        (steps.round() as u64).max(1)
    }

    /// Learning steps of the whole run.
    pub fn total_steps(&self) -> u64 {
        self.run.rounds * self.steps_per_round()
    }
}
