//! Reading a configuration: text → tree → typed → checked.

use std::path::Path;

use engine::draws::{Purpose, keyed};
use toml::de::DeTable;

use super::Config;
use super::check::{self, ConfigError, Fault, line_of};
use crate::dispatch::{GameId, Playable};
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

/// Reads a configuration with `key=value` settings put over it.
///
/// # Errors
/// Every fault that is found, each with its line.
pub fn load<G: Playable>(file: &Path, settings: &[String]) -> Result<Config<G>, ConfigError> {
    let name = file.display().to_string();
    let text = read(file)?;
    let mut table = parse(&text, &name)?;
    let mut faults = Vec::new();
    if let Ok(spanned) = DeTable::parse(&text) {
        check::compare::<G>(&text, spanned.get_ref(), &mut faults);
    }
    for setting in settings {
        apply::<G>(&mut table, setting)?;
    }
    if !faults.is_empty() {
        return Err(ConfigError { file: name, faults });
    }
    let config: Config<G> = match table.try_into() {
        Ok(config) => config,
        // The tree with its settings has no places; the file alone may have them.
        Err(error) => {
            let placed = toml::from_str::<Config<G>>(&text).err();
            let span = placed.as_ref().and_then(toml::de::Error::span);
            let line = span.map(|span| line_of(&text, span.start));
            return Err(one(name, line, error.message().to_string()));
        }
    };
    check::ranges(&config, &mut |key, range| {
        faults.push(Fault {
            line: line_of_key(&text, key),
            text: format!("`{key}` must be {range}"),
        });
    });
    let mut draws = keyed(config.run.seed, Purpose::Start, 0, 0);
    if let Err(error) = G::start(&config.game.variant, &config.game.start, &mut draws) {
        faults.push(Fault {
            line: line_of_key(&text, "game.start").or(line_of_key(&text, "game.variant")),
            text: format!("`game.start` under `game.variant`: {}", error.message),
        });
    }
    for opponent in &config.ladder.opponents {
        let parsed = opponent.parse::<PlayerSpec>();
        if let Err(error) = parsed.and_then(|spec| spec.check_game::<G>()) {
            faults.push(Fault {
                line: line_of_key(&text, "ladder.opponents"),
                text: error.to_string(),
            });
        }
    }
    if faults.is_empty() {
        return Ok(config);
    }
    Err(ConfigError { file: name, faults })
}

/// Checks a file without using it.
///
/// # Errors
/// Every fault that is found.
pub fn check_file(file: &Path) -> Result<GameId, ConfigError> {
    let game = game_of(file)?;
    with_game!(game, G => load::<G>(file, &[]).map(|_| game))
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
fn apply<G: Playable>(table: &mut toml::Table, setting: &str) -> Result<(), ConfigError> {
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
    check::compare::<G>(&text, spanned.get_ref(), &mut faults);
    if let Some(fault) = faults.first() {
        return Err(error(&fault.text));
    }
    let parsed: toml::Table = text
        .parse()
        .map_err(|_| error("a setting is written section.key=value"))?;
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
