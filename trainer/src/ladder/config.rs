//! The configuration of a ladder, and the ladder that it stands for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use engine::Game;
use serde::{Deserialize, Serialize};

use super::players::Entry;
use super::{Ladder, Plan};
use crate::book::Book;
use crate::config::{self, ConfigError, Fault, GameSection};
use crate::dispatch::Playable;
use crate::machine::Machine;
use crate::matches::{GAMES_AT_ONCE, Openings, Seat};
use crate::rating::Sprt;

/// Everything that a ladder is asked to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct LadderConfig<G: Game> {
    /// Which game, from which starts, under which options.
    pub game: GameSection<G>,
    /// Who plays whom, and how often.
    #[serde(default)]
    pub ladder: Section,
    /// The players.
    pub player: Vec<Entry>,
    /// A test that may end a ladder of two players early.
    #[serde(default)]
    pub sprt: Option<SprtSection>,
}

/// `[ladder]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Section {
    /// Everything random follows from this number.
    pub seed: u64,
    /// Who plays whom.
    pub plan: Pairing,
    /// Pairs of games of each couple; of the whole ladder in an adaptive plan.
    pub pairs: u64,
    /// Earlier nets that each net meets under the plan `anchors`.
    pub predecessors: usize,
    /// The name of the player at 0 Elo; empty for the one with the most games.
    pub anchor: String,
    /// Random first plies of each pair.
    pub opening_plies: u32,
    /// A file of openings in the place of starts and random plies; empty for none.
    pub book: PathBuf,
    /// Seconds after which an external player that gives no answer is stopped and loses.
    pub watchdog: f64,
    /// Games that one thread plays side by side.
    pub games_at_once: usize,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Everybody against everybody.
    RoundRobin,
    /// Each net against the players named one by one and against its predecessors.
    Anchors,
    /// The next pair is the one that narrows the ratings most.
    Adaptive,
}

/// `[sprt]`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtSection {
    /// The hypothesis of no gain, in Elo.
    pub elo0: f64,
    /// The hypothesis of a gain, in Elo.
    pub elo1: f64,
    /// Rate at which a gain is wrongly accepted.
    pub alpha: f64,
    /// Rate at which a gain is wrongly refused.
    pub beta: f64,
    /// Pairs before which nothing is decided.
    pub minimum: u64,
}

impl Default for Section {
    fn default() -> Section {
        Section {
            seed: 1,
            plan: Pairing::RoundRobin,
            pairs: 100,
            predecessors: 1,
            anchor: String::new(),
            opening_plies: 0,
            book: PathBuf::new(),
            watchdog: 60.0,
            games_at_once: GAMES_AT_ONCE,
        }
    }
}

impl Default for SprtSection {
    fn default() -> SprtSection {
        SprtSection {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
            minimum: 32,
        }
    }
}

impl SprtSection {
    fn test(&self) -> Result<Sprt, crate::rating::SprtError> {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.minimum)
    }
}

impl<G: Playable> LadderConfig<G> {
    /// A configuration with every key.
    fn template() -> LadderConfig<G> {
        LadderConfig {
            game: GameSection {
                name: G::NAME.into(),
                start: G::Start::default(),
                variant: G::Variant::default(),
                mixture: Vec::new(),
            },
            ladder: Section::default(),
            player: vec![Entry::default()],
            sprt: Some(SprtSection::default()),
        }
    }

    /// Reads a configuration with `key=value` settings put over it.
    ///
    /// # Errors
    /// Every fault that is found.
    pub fn load(file: &Path, settings: &[String]) -> Result<LadderConfig<G>, ConfigError> {
        let known = toml::Table::try_from(LadderConfig::<G>::template()).expect("plain data");
        let config: LadderConfig<G> = config::load_like(file, settings, &known)?;
        let faults = config.faults();
        if faults.is_empty() {
            return Ok(config);
        }
        let fault = |text| Fault { line: None, text };
        Err(ConfigError {
            file: file.display().to_string(),
            faults: faults.into_iter().map(fault).collect(),
        })
    }

    /// What types cannot hold.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut need = |holds: bool, text: &str| {
            if !holds {
                faults.push(text.to_string());
            }
        };
        need(
            self.game.mixture.is_empty(),
            "`game.mixture` is for self-play; a ladder plays one start",
        );
        need(
            (1..=1_000_000).contains(&self.ladder.pairs),
            "`ladder.pairs` must be from 1 to 1000000",
        );
        need(
            self.ladder.games_at_once >= 1,
            "`ladder.games_at_once` must be at least 1",
        );
        let watchdog = (0.001..=86400.0).contains(&self.ladder.watchdog);
        need(
            watchdog,
            "`ladder.watchdog` must be from 0.001 to 86400 seconds",
        );
        need(
            !self.player.is_empty(),
            "a ladder needs players: [[player]] with a spec or nets",
        );
        for entry in &self.player {
            faults.extend(entry.fault());
        }
        if let Some(Err(error)) = self.sprt.as_ref().map(SprtSection::test) {
            faults.push(format!("[sprt]: {error}"));
        }
        faults
    }

    /// Loads all players, so that whatever is wrong with one shows before the first game.
    ///
    /// # Errors
    /// A player that cannot be loaded, names that repeat, or a book that cannot be used.
    pub fn open(&self, folder: PathBuf, machine: &Machine) -> anyhow::Result<Ladder<G>> {
        let mut players = Vec::new();
        for entry in &self.player {
            players.extend(entry.players()?);
        }
        let variant = &self.game.variant;
        let watchdog = Duration::from_secs_f64(self.ladder.watchdog);
        let (mut names, mut seats) = (Vec::new(), Vec::new());
        for (name, spec) in &players {
            if names.contains(name) {
                bail!("two players have the name '{name}': give one of them another");
            }
            names.push(name.clone());
            seats.push(Seat::load_watched::<G>(spec, variant, machine, watchdog)?);
        }
        if names.len() < 2 {
            bail!(
                "a ladder needs at least two players, and there is {}",
                names.len()
            );
        }
        let anchor =
            match self.ladder.anchor.as_str() {
                "" => None,
                anchor => Some(names.iter().position(|name| name == anchor).with_context(
                    || {
                        format!(
                            "the anchor '{anchor}' is none of the players: {}",
                            names.join(", ")
                        )
                    },
                )?),
            };
        if self.sprt.is_some() && names.len() != 2 {
            bail!(
                "[sprt] tests two players against each other, and there are {}",
                names.len()
            );
        }
        let book = match self.ladder.book.as_os_str().is_empty() {
            true => Vec::new(),
            false => Book::read::<G>(&self.ladder.book, variant)?,
        };
        let is_net: Vec<_> = seats.iter().map(|seat| seat.identity.is_some()).collect();
        Ok(Ladder {
            plan: self.plan(&is_net),
            names,
            seats,
            regrets: BTreeMap::new(),
            openings: Openings {
                variant: variant.clone(),
                start: self.game.start.clone(),
                plies: self.ladder.opening_plies,
                book: Arc::new(book),
            },
            anchor,
            sprt: self.sprt.as_ref().map(SprtSection::test).transpose()?,
            seed: self.ladder.seed,
            threads: machine.threads,
            games_at_once: self.ladder.games_at_once,
            folder,
        })
    }

    fn plan(&self, is_net: &[bool]) -> Plan {
        let pairs = self.ladder.pairs;
        let players = is_net.len();
        let all = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        let meets = |&[a, b]: &[usize; 2]| {
            let between = is_net[a..b].iter().filter(|&&net| net).count();
            is_net[a] != is_net[b] || (is_net[a] && between <= self.ladder.predecessors)
        };
        match self.ladder.plan {
            Pairing::RoundRobin => Plan::Fixed {
                couples: all.collect(),
                pairs,
            },
            Pairing::Anchors => Plan::Fixed {
                couples: all.filter(meets).collect(),
                pairs,
            },
            Pairing::Adaptive => Plan::Adaptive { players, pairs },
        }
    }
}
