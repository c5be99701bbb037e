//! What is wrong with a configuration: all faults at once, each with its line and the way out.

use engine::Game;
use engine::games::einstein::Einstein;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Config;
use crate::matches::MOST_SIMULATIONS;

/// A configuration that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.lines())]
pub struct ConfigError {
    /// The file, or the option that the fault stands in.
    pub file: String,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

/// One fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its line in the file, from 1, where it has one.
    pub line: Option<usize>,
    /// What is wrong.
    pub text: String,
}

impl ConfigError {
    fn lines(&self) -> String {
        let line = |fault: &Fault| match fault.line {
            Some(line) => format!("{}, line {line}: {}", self.file, fault.text),
            None => format!("{}: {}", self.file, fault.text),
        };
        self.faults.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Compares a file's keys and types with those of a configuration that has them all.
pub(super) fn compare(
    text: &str,
    root: &DeTable<'_>,
    known: &toml::Table,
    faults: &mut Vec<Fault>,
) {
    compare_table(text, root, known, known, "", faults);
}

fn compare_table(
    text: &str,
    found: &DeTable<'_>,
    known: &toml::Table,
    all: &toml::Table,
    section: &str,
    faults: &mut Vec<Fault>,
) {
    for (key, value) in found {
        let name = key.get_ref().as_ref();
        let path = if section.is_empty() {
            name.to_string()
        } else {
            format!("{section}.{name}")
        };
        let line = Some(line_of(text, key.span().start));
        match (known.get(name), value.get_ref()) {
            (None, _) => faults.push(Fault {
                line,
                text: format!("unknown key `{path}`{}", hint(name, section, known, all)),
            }),
            // The forms of these belong to the game, which reads them itself.
            (Some(_), _) if section == "game" => {}
            (Some(toml::Value::Table(known)), DeValue::Table(table)) => {
                compare_table(text, table, known, all, &path, faults);
            }
            (Some(toml::Value::Array(known)), DeValue::Array(entries))
                if matches!(known.first(), Some(toml::Value::Table(_))) =>
            {
                let tables = entries
                    .iter()
                    .filter_map(|entry| entry.get_ref().as_table());
                let known = known.first().and_then(toml::Value::as_table);
                for (table, known) in tables.zip(std::iter::repeat(known)) {
                    compare_table(text, table, known.unwrap_or(all), all, &path, faults);
                }
            }
            (Some(wanted), value) => {
                if !fits(wanted, value) {
                    let found = value.type_str();
                    let wanted = wanted.type_str();
                    faults.push(Fault {
                        line,
                        text: format!("`{path}` must be of type {wanted}, not {found}"),
                    });
                }
            }
        }
    }
}

fn fits(wanted: &toml::Value, found: &DeValue<'_>) -> bool {
    match (wanted, found) {
        (toml::Value::Float(_), DeValue::Integer(_)) => true,
        (toml::Value::Array(wanted), DeValue::Array(found)) => wanted.first().is_none_or(|first| {
            found
                .iter()
                .map(Spanned::get_ref)
                .all(|entry| fits(first, entry))
        }),
        _ => wanted.type_str() == found.type_str(),
    }
}

/// Points to the section that has such a key, or to the key of the nearest name.
fn hint(name: &str, section: &str, known: &toml::Table, all: &toml::Table) -> String {
    let elsewhere = all.iter().find(|(other, value)| {
        *other != section
            && value
                .as_table()
                .is_some_and(|table| table.contains_key(name))
    });
    if let Some((other, _)) = elsewhere {
        return format!("; it belongs into [{other}]");
    }
    let nearest = known
        .keys()
        .map(|key| (distance(name, key), key))
        .min_by_key(|&(distance, _)| distance);
    match nearest {
        Some((distance, key)) if distance <= 1 + name.len() / 3 => {
            format!("; did you mean `{key}`?")
        }
        _ => {
            let keys: Vec<_> = known.keys().map(String::as_str).collect();
            format!("; known here: {}", keys.join(", "))
        }
    }
}

/// Edit distance with swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        + 1
}

/// Checks the ranges that types cannot hold.
pub(super) fn ranges<G: Game>(config: &Config<G>, fault: &mut impl FnMut(&str, &str)) {
    for (key, range) in config.net.faults() {
        fault(&format!("net.{key}"), &range);
    }
    for (key, range) in config.search.faults() {
        fault(&format!("search.{key}"), range);
    }
    let mut need = |holds: bool, key: &str, range: &str| {
        if !holds {
            fault(key, range);
        }
    };
    let share = |value: f64| (0.0..=1.0).contains(&value);
    let Config {
        run,
        selfplay,
        learning,
        gate,
        ladder,
        truth,
        ..
    } = config;
    need(run.rounds >= 1, "run.rounds", "at least 1");
    need(
        (1..=4096).contains(&selfplay.groups),
        "selfplay.groups",
        "from 1 to 4096",
    );
    need(
        (1..=65536).contains(&selfplay.slots),
        "selfplay.slots",
        "from 1 to 65536",
    );
    need(selfplay.positions >= 1, "selfplay.positions", "at least 1");
    let simulations = [
        (selfplay.full_simulations, "selfplay.full_simulations"),
        (selfplay.cheap_simulations, "selfplay.cheap_simulations"),
        (gate.simulations, "gate.simulations"),
        (ladder.simulations, "ladder.simulations"),
        (truth.simulations, "truth.simulations"),
    ];
    for (simulations, key) in simulations {
        let range = format!("from 1 to {MOST_SIMULATIONS}");
        need((1..=MOST_SIMULATIONS).contains(&simulations), key, &range);
    }
    need(
        !selfplay.phase_effort.is_empty()
            && selfplay
                .phase_effort
                .iter()
                .all(|&effort| effort > 0.0 && effort <= 100.0),
        "selfplay.phase_effort",
        "a list of numbers above 0, at most 100",
    );
    need(
        config
            .game
            .mixture
            .iter()
            .all(|entry| entry.share > 0.0 && entry.share.is_finite()),
        "game.mixture",
        "a list whose shares are above 0",
    );
    need(
        share(selfplay.full_share) && selfplay.full_share > 0.0,
        "selfplay.full_share",
        "above 0, at most 1",
    );
    need(
        share(selfplay.temperature / 10.0),
        "selfplay.temperature",
        "from 0 to 10",
    );
    need(
        share(selfplay.late_temperature / 10.0),
        "selfplay.late_temperature",
        "from 0 to 10",
    );
    need(
        (-1.0..=0.0).contains(&selfplay.resign_below),
        "selfplay.resign_below",
        "from -1 to 0",
    );
    need(
        share(selfplay.resign_check_share),
        "selfplay.resign_check_share",
        "from 0 to 1",
    );
    need(
        selfplay.kept_answers <= 1 << 24,
        "selfplay.kept_answers",
        "at most 16777216",
    );
    need(
        (1..=65536).contains(&learning.batch),
        "learning.batch",
        "from 1 to 65536",
    );
    need(
        (1..=256).contains(&learning.parts),
        "learning.parts",
        "from 1 to 256",
    );
    need(
        learning.reuse.is_finite() && learning.reuse > 0.0,
        "learning.reuse",
        "above 0",
    );
    need(learning.window >= 1, "learning.window", "at least 1");
    need(
        share(learning.window_growth),
        "learning.window_growth",
        "from 0 to 1",
    );
    need(
        learning.window_limit >= learning.window,
        "learning.window_limit",
        "at least learning.window",
    );
    need(
        learning.rate.is_finite() && learning.rate > 0.0,
        "learning.rate",
        "above 0",
    );
    need(
        share(learning.final_rate_share),
        "learning.final_rate_share",
        "from 0 to 1",
    );
    need(
        learning.weight_decay.is_finite() && learning.weight_decay >= 0.0,
        "learning.weight_decay",
        "at least 0",
    );
    need(
        learning.clip_norm.is_finite() && learning.clip_norm > 0.0,
        "learning.clip_norm",
        "above 0",
    );
    need(
        (0.0..1.0).contains(&learning.average_keep),
        "learning.average_keep",
        "from 0, below 1",
    );
    need(
        share(learning.search_value_share),
        "learning.search_value_share",
        "from 0 to 1",
    );
    need(
        learning.value_weight.is_finite() && learning.value_weight >= 0.0,
        "learning.value_weight",
        "at least 0",
    );
    need(share(gate.threshold), "gate.threshold", "from 0 to 1");
    need(ladder.nets >= 1, "ladder.nets", "at least 1");
    need(
        truth.tables.is_empty() || G::NAME == Einstein::NAME,
        "truth.tables",
        "empty: there are exact values of einstein only",
    );
    let uses = [
        (truth.leaf_values, "truth.leaf_values"),
        (truth.targets, "truth.targets"),
    ];
    for (is_on, key) in uses {
        let range = "false where truth.tables names no file";
        need(!is_on || !truth.tables.is_empty(), key, range);
    }
    need(
        truth.positions <= 20_000,
        "truth.positions",
        "from 0 to 20000",
    );
}
