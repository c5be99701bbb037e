//! Ladders: players, a plan of pairs, result lines that survive any stop, and reports.
//!
//! The ladder of a run ([`of_run`]) and the one of a configuration ([`config`]) differ only in where
//! their players come from.

pub mod config;
mod files;
mod html;
mod journal;
pub mod line;
pub mod of_run;
mod plan;
pub mod players;
mod report;
mod store;
mod tables;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};
use engine::Side;
use engine::draws::{Purpose, keyed};
use rand::RngExt;

use crate::dispatch::Playable;
use crate::interrupt::Interrupted;
use crate::matches::{Bout, GameResult, Hall, Openings, Seat};
use crate::rating::{Sprt, SprtReport, SprtVerdict, Standings};
use crate::selfplay::Effort;
use journal::Journal;
use line::{Contestant, Ending, FORMAT, ResultLine, games};
pub use line::{pair_scores, rate};
pub use plan::Plan;
pub use report::Report;
use store::Store;
pub use tables::{remarks, table};

/// A ladder that is ready to be played.
#[derive(Debug)]
pub struct Ladder<G: Playable> {
    /// The names of the players, which do not repeat.
    pub names: Vec<String>,
    /// The players.
    pub seats: Vec<Seat>,
    /// Winning probability that players' moves give away against exact play, where it was measured.
    pub regrets: BTreeMap<String, f64>,
    /// How first positions are made.
    pub openings: Openings<G>,
    /// Who plays whom.
    pub plan: Plan,
    /// The player at 0 Elo.
    pub anchor: Option<usize>,
    /// A test of the first two players that may end the ladder early.
    pub sprt: Option<Sprt>,
    /// Everything random follows from this number.
    pub seed: u64,
    /// Threads that play.
    pub threads: usize,
    /// Games that one thread plays side by side.
    pub games_at_once: usize,
    /// Where results and reports are kept.
    pub folder: PathBuf,
}

impl<G: Playable> Ladder<G> {
    /// Plays all games that the folder does not hold yet, and reports. Games that belong to another plan
    /// stay in the folder and are left out of the report.
    ///
    /// # Errors
    /// A file that cannot be written, or an interruption; what is finished is kept.
    pub fn play(&self) -> anyhow::Result<Report> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let (store, old) = Store::open(&self.folder.join("results.jsonl"))?;
        files::keep_foreign(&self.folder)?;
        let known = self.known(old)?;
        let mut journal = Journal::new(store, &self.names, self.anchor, 2 * self.plan.pairs());
        let mut effort = Effort::default();
        let mut planned = Vec::new();
        loop {
            let rated = games(&self.names, &journal.lines);
            let mut wave = self.plan.wave(&planned, &rated);
            if wave.is_empty() {
                break;
            }
            planned.extend(wave.iter().copied());
            // A test that may end the ladder is asked after every few pairs.
            let part = if self.sprt.is_some() {
                plan::WAVE as usize
            } else {
                wave.len()
            };
            while !wave.is_empty() && !self.is_decided(&journal.lines) {
                let rest = wave.split_off(part.min(wave.len()));
                let bouts = plan::bouts(&wave, |couple| self.seed_of(couple));
                journal = self.play_wave(journal, &bouts, &known, &mut effort)?;
                wave = rest;
            }
            if self.is_decided(&journal.lines) {
                break;
            }
        }
        let report = self.report(&journal.lines, &effort, true);
        journal.finish();
        files::write(&report, &self.folder)?;
        Ok(report)
    }

    fn play_wave<'a>(
        &self,
        mut journal: Journal<'a>,
        bouts: &[Bout],
        known: &HashMap<(usize, usize, u64), ResultLine>,
        effort: &mut Effort,
    ) -> anyhow::Result<Journal<'a>> {
        let mut missing = Vec::new();
        for bout in bouts {
            match known.get(&key_of(bout)) {
                Some(line) => journal.lines.push(line.clone()),
                None => missing.push(*bout),
            }
        }
        let wanted = journal.lines.len() + missing.len();
        let hall = Hall {
            seats: &self.seats,
            openings: &self.openings,
            threads: self.threads,
            games_at_once: self.games_at_once,
        };
        let locked = Mutex::new(journal);
        let played = hall.play(&missing, &|place, game| {
            if let Ok(mut journal) = locked.lock() {
                journal.take(self.line_of(&missing[place], &game.result), |lines| {
                    let report = self.report(lines, &Effort::default(), false);
                    files::write(&report, &self.folder)
                });
            }
        })?;
        effort.clock.add(played.clock);
        effort.seconds += played.seconds;
        effort.threads = played.threads;
        let mut journal = match locked.into_inner() {
            Ok(journal) => journal,
            Err(_) => bail!("a thread that played has failed"),
        };
        if let Some(error) = journal.failed.take() {
            return Err(error);
        }
        if journal.lines.len() < wanted {
            let report = self.report(&journal.lines, effort, false);
            files::write(&report, &self.folder)?;
            bail!(Interrupted);
        }
        Ok(journal)
    }

    /// The results of earlier games that belong to this ladder, by players and number.
    fn known(
        &self,
        lines: Vec<ResultLine>,
    ) -> anyhow::Result<HashMap<(usize, usize, u64), ResultLine>> {
        let mut known = HashMap::new();
        let place = |name: &str| self.names.iter().position(|other| other == name);
        for line in lines {
            let (Some(first), Some(second), Some(id)) =
                (place(&line.first.name), place(&line.second.name), line.id)
            else {
                continue;
            };
            let couple = [first.min(second), first.max(second)];
            let bout = Bout {
                seats: couple,
                seed: self.seed_of(couple),
                pair: id.saturating_sub(1) / 2,
                a_side: if first == couple[0] {
                    Side::First
                } else {
                    Side::Second
                },
            };
            if line
                == (ResultLine {
                    result: line.result,
                    reason: line.reason.clone(),
                    detail: line.detail.clone(),
                    plies: line.plies,
                    course: line.course.clone(),
                    ..self.blank(&bout)?
                })
            {
                known.insert(key_of(&bout), line);
            }
        }
        Ok(known)
    }

    fn line_of(&self, bout: &Bout, result: &GameResult) -> ResultLine {
        let mut line = self.blank_from(bout, result.opening.clone());
        line.note(result);
        line
    }

    fn blank(&self, bout: &Bout) -> anyhow::Result<ResultLine> {
        Ok(self.blank_from(bout, self.openings.first(bout.seed, bout.pair)?.text()))
    }

    /// The line of a game but for its result.
    fn blank_from(&self, bout: &Bout, opening: String) -> ResultLine {
        let [a, b] = bout.seats.map(|seat| self.contestant(seat));
        let (first, second) = if bout.a_side == Side::First {
            (a, b)
        } else {
            (b, a)
        };
        ResultLine {
            format: FORMAT,
            game: G::NAME.into(),
            rules: G::RULES,
            variant: serde_json::to_value(&self.openings.variant).unwrap_or_default(),
            id: Some(2 * bout.pair + bout.a_side.index() as u64 + 1),
            pair: Some(bout.pair + 1),
            seed: bout.seed,
            opening,
            first,
            second,
            result: Ending::Draw,
            reason: String::new(),
            detail: None,
            plies: 0,
            course: None,
        }
    }

    fn contestant(&self, seat: usize) -> Contestant {
        let (name, seat) = (&self.names[seat], &self.seats[seat]);
        Contestant {
            name: name.clone(),
            spec: seat.spec().to_string(),
            hash: seat.hash().to_string(),
            step: seat.identity.as_ref().map(|(step, _)| *step),
        }
    }

    /// Two players' seed depends on their names and not on who else plays.
    fn seed_of(&self, couple: [usize; 2]) -> u64 {
        let [a, b] = couple.map(|player| {
            self.names[player]
                .bytes()
                .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
                })
        });
        // JSON readers that keep numbers as doubles hold 53 bits.
        keyed(self.seed, Purpose::Start, a, b).random::<u64>() >> 11
    }

    /// Whether the sequential test of the first two players has come to an end.
    fn is_decided(&self, lines: &[ResultLine]) -> bool {
        self.test(lines)
            .is_some_and(|report| report.verdict != SprtVerdict::NotDecided)
    }

    fn test(&self, lines: &[ResultLine]) -> Option<SprtReport> {
        let [a, b] = [self.names.first()?, self.names.get(1)?];
        Some(self.sprt?.judge(pair_scores(lines, a, b)))
    }

    fn report(&self, lines: &[ResultLine], effort: &Effort, whole: bool) -> Report {
        let rated = games(&self.names, lines);
        Report {
            format: FORMAT,
            game: G::NAME,
            rules: G::RULES,
            seed: self.seed,
            planned: 2 * self.plan.pairs(),
            complete: whole,
            players: (0..self.names.len())
                .map(|seat| self.contestant(seat))
                .collect(),
            standings: Standings::of(&self.names, &rated, self.anchor),
            sprt: self.test(lines),
            openings: report::openings(lines),
            faults: report::faults(lines),
            regrets: self.regrets.clone(),
            evaluation_share: effort.evaluation_share(),
            evaluations_a_second: effort.clock.positions as f64 / effort.seconds.max(1e-9),
        }
    }
}

fn key_of(bout: &Bout) -> (usize, usize, u64) {
    (
        bout.seats[0],
        bout.seats[1],
        2 * bout.pair + bout.a_side.index() as u64,
    )
}

/// Whether a path is that of a ladder's configuration.
pub fn is_config(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "toml")
}
