//! Reading a configuration: text → tree → typed → checked.

use std::path::Path;

use engine::Status;
use engine::draws::{Purpose, keyed};
use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::Config;
use super::check::{self, ConfigError, Fault, line_of};
use crate::dispatch::{GameId, Playable};
use crate::ladder::config::LadderConfig;
use crate::matches::PlayerSpec;
use crate::with_game;

/// The game that a configuration file is for.
///
/// # Errors
/// A file that cannot be read, is not TOML, or names no known game.
pub fn game_of(file: &Path) -> Result<GameId, ConfigError> {
    let text = read(file)?;
    let table = parse(&text, &file.display().to_string())?;
    let name = table
        .get("game")
        .and_then(|game| game.as_table()?.get("name")?.as_str());
    let error = |text: String| one(file.display().to_string(), None, text);
    let name =
        name.ok_or_else(|| error("[game] needs a name, such as name = \"einstein\"".into()))?;
    name.parse().map_err(error)
}

/// Reads a file with `key=value` settings put over it, as a type whose keys and types are those of `known`.
///
/// # Errors
/// Every fault that is found, each with its line.
pub fn load_like<T: DeserializeOwned>(
    file: &Path,
    settings: &[String],
    known: &toml::Table,
) -> Result<T, ConfigError> {
    let name = file.display().to_string();
    let text = read(file)?;
    let mut table = parse(&text, &name)?;
    let mut faults = Vec::new();
    if let Ok(spanned) = DeTable::parse(&text) {
        check::compare(&text, spanned.get_ref(), known, &mut faults);
    }
    for setting in settings {
        apply(&mut table, setting, known)?;
    }
    if !faults.is_empty() {
        return Err(ConfigError { file: name, faults });
    }
    read_positions(&mut table, file)?;
    table.try_into().map_err(|error: toml::de::Error| {
        // The tree with its settings has no places; the file alone may have them.
        let placed = toml::from_str::<T>(&text).err();
        let span = placed.as_ref().and_then(toml::de::Error::span);
        let line = span.map(|span| line_of(&text, span.start));
        // Its second line names the key.
        one(name, line, error.to_string().trim().replace('\n', " "))
    })
}

/// Reads a configuration with `key=value` settings put over it.
///
/// # Errors
/// Every fault that is found, each with its line.
pub fn load<G: Playable>(file: &Path, settings: &[String]) -> Result<Config<G>, ConfigError> {
    let known =
        toml::Table::try_from(Config::<G>::of_game()).expect("a configuration is plain data");
    let config: Config<G> = load_like(file, settings, &known)?;
    let (name, text) = (file.display().to_string(), read(file)?);
    let mut faults = Vec::new();
    check::ranges(&config, &mut |key, range| {
        faults.push(Fault {
            line: line_of_key(&text, key),
            text: format!("`{key}` must be {range}"),
        });
    });
    check_starts(&config, &text, &mut faults);
    for opponent in &config.ladder.opponents {
        let problem = match opponent.parse::<PlayerSpec>() {
            Ok(spec) => spec.knows::<G>().err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        faults.extend(problem.map(|problem| Fault {
            line: line_of_key(&text, "ladder.opponents"),
            text: problem,
        }));
    }
    if faults.is_empty() {
        return Ok(config);
    }
    Err(ConfigError { file: name, faults })
}

/// Checks that games can begin in every way that the configuration names.
fn check_starts<G: Playable>(config: &Config<G>, text: &str, faults: &mut Vec<Fault>) {
    let game = &config.game;
    let mut draws = keyed(config.run.seed, Purpose::Start, 0, 0);
    if let Err(error) = G::start(&game.variant, &game.start, &mut draws) {
        faults.push(Fault {
            line: line_of_key(text, "game.start").or(line_of_key(text, "game.variant")),
            text: format!("`game.start` under `game.variant`: {}", error.message),
        });
    }
    let mut fault = |number: usize, problem: String| {
        faults.push(Fault {
            line: line_of_key(text, "game.mixture"),
            text: format!("entry {number} of `game.mixture`: {problem}"),
        });
    };
    let shape = G::shape(&game.variant);
    for (number, entry) in (1..).zip(&game.mixture) {
        let variant = entry.variant(&game.variant);
        if !shape.head.serves_every_size() && G::shape(variant) != shape {
            fault(
                number,
                "its board has another size, for which this game's networks do not serve".into(),
            );
        }
        for position in &entry.positions {
            match G::parse(position, variant) {
                Err(error) => fault(number, format!("'{position}': {error}")),
                Ok(found) if G::shape(found.variant()) != G::shape(variant) => {
                    fault(
                        number,
                        format!("'{position}' is on a board of another size"),
                    );
                }
                Ok(found) if matches!(found.status(), Status::Over(_)) => {
                    fault(number, format!("'{position}': the game is over there"));
                }
                Ok(_) => {}
            }
        }
        if let Err(error) = entry.first_position(&game.variant, 0, &mut draws) {
            fault(number, error.message);
        }
    }
}

/// Puts the lines of the files that `game.mixture` names in their place. A path is relative to the
/// folder of the configuration.
fn read_positions(table: &mut toml::Table, config: &Path) -> Result<(), ConfigError> {
    let mixture = table
        .get_mut("game")
        .and_then(|game| game.get_mut("mixture"));
    let entries = mixture.and_then(toml::Value::as_array_mut);
    for entry in entries
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_table_mut)
    {
        let Some(toml::Value::String(file)) = entry.remove("file") else {
            continue;
        };
        let text = read(&config.with_file_name(&file))?;
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines = lines.map(|line| toml::Value::String(line.into()));
        entry.insert("positions".into(), toml::Value::Array(lines.collect()));
    }
    Ok(())
}

/// Checks a file without using it.
///
/// # Errors
/// Every fault that is found.
pub fn check_file(file: &Path) -> Result<GameId, ConfigError> {
    let game = game_of(file)?;
    let is_ladder = parse(&read(file)?, &file.display().to_string())?.contains_key("player");
    with_game!(game, G => match is_ladder {
        true => LadderConfig::<G>::load(file, &[]).map(|_| game),
        false => load::<G>(file, &[]).map(|_| game),
    })
}

fn read(file: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(file)
        .map_err(|error| one(file.display().to_string(), None, error.to_string()))
}

fn parse(text: &str, name: &str) -> Result<toml::Table, ConfigError> {
    text.parse::<toml::Table>().map_err(|error| {
        let line = error.span().map(|span| line_of(text, span.start));
        one(name.to_string(), line, error.message().to_string())
    })
}

fn one(file: String, line: Option<usize>, text: String) -> ConfigError {
    ConfigError {
        file,
        faults: vec![Fault { line, text }],
    }
}

/// Puts one `section.key=value` over the tree; a value that is not TOML is taken as a string.
fn apply(table: &mut toml::Table, setting: &str, known: &toml::Table) -> Result<(), ConfigError> {
    let error = |text: &str| one(format!("--set {setting}"), None, text.to_string());
    let (path, value) = setting
        .split_once('=')
        .ok_or_else(|| error("a setting is written section.key=value"))?;
    let text = format!("{path} = {value}\n");
    let quoted = format!("{path} = {value:?}\n");
    let text = if text.parse::<toml::Table>().is_ok() {
        text
    } else {
        quoted
    };
    let spanned =
        DeTable::parse(&text).map_err(|_| error("a setting is written section.key=value"))?;
    let mut faults = Vec::new();
    check::compare(&text, spanned.get_ref(), known, &mut faults);
    if let Some(fault) = faults.first() {
        return Err(error(&fault.text));
    }
    let parsed: toml::Table = text
        .parse()
        .map_err(|_| error("a setting is written section.key=value"))?;
    // Everything is read as the file's game before a setting is looked at.
    let named = |table: &toml::Table| table.get("game")?.get("name").cloned();
    if let (Some(other), Some(game)) = (named(&parsed), named(known))
        && other != game
    {
        return Err(error(&format!(
            "the game is that of the file, {game}; take a configuration of another game instead"
        )));
    }
    merge(table, parsed);
    Ok(())
}

fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(into)), toml::Value::Table(from)) => merge(into, from),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// The line of `section.key`, if the file has it.
fn line_of_key(text: &str, path: &str) -> Option<usize> {
    let spanned = DeTable::parse(text).ok()?;
    let (section, key) = path.split_once('.')?;
    let table = spanned.get_ref().get(section)?.get_ref();
    let (key, _) = table
        .as_table()?
        .iter()
        .find(|(name, _)| name.get_ref().as_ref() == key)?;
    Some(line_of(text, key.span().start))
}
