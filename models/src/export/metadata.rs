//! What an exported file says about its net, as pairs of texts.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use engine::{Encode, Head};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::artifact::{Artifact, Origin, outcomes};
use crate::frame::Problem;

/// Texts by key, the same in every format.
pub type Metadata = BTreeMap<String, String>;

/// The version of the metadata, of tensor names and of layouts.
pub const VERSION: u32 = 1;

const NAME: &str = "an exported net";

/// What a file says of its licence where its owner has said nothing.
const NO_LICENCE: &str = "not stated";

/// What is said about a net, which must be one of this game. Its licence is for the readers of the file.
pub fn metadata<G: Encode>(artifact: &Artifact, variant: &G::Variant) -> Metadata {
    let Origin {
        game,
        rules,
        encoding,
        variant: options,
        config,
        search,
        step,
    } = &artifact.origin;
    let shape = G::shape(variant);
    let boards = G::served(variant).into_iter().map(|variant| {
        let shape = G::shape(&variant);
        format!("{}x{}", shape.rows, shape.columns)
    });
    let policy = match shape.head {
        Head::Dense | Head::Pairs => shape.policy.to_string(),
        Head::Planes { count } => format!(
            "{count} * rows * columns + {}",
            shape.policy - count * shape.rows * shape.columns
        ),
    };
    let licence = artifact.licence.as_deref();
    let json = |value: Result<String, _>| value.expect("sizes and parameters are plain data");
    let texts = [
        ("tribord", VERSION.to_string()),
        ("program", env!("CARGO_PKG_VERSION").to_string()),
        ("game", game.clone()),
        ("rules", rules.to_string()),
        ("encoding", encoding.to_string()),
        ("variant", options.clone()),
        ("boards", boards.collect::<Vec<_>>().join(" ")),
        ("planes", shape.planes.to_string()),
        ("policy", policy),
        ("outcomes", outcome_names::<G>().to_string()),
        ("view", "side to move".to_string()),
        ("network", json(serde_json::to_string(config))),
        ("search", json(serde_json::to_string(search))),
        ("step", step.to_string()),
        ("hash", artifact.hash.clone()),
        ("licence", licence.unwrap_or(NO_LICENCE).to_string()),
    ];
    texts.map(|(key, text)| (key.to_string(), text)).into()
}

fn outcome_names<G: Encode>() -> &'static str {
    match outcomes::<G>() {
        2 => "win loss",
        _ => "win draw loss",
    }
}

/// The origin and the hash of the net that the texts describe.
///
/// # Errors
/// Texts of another version, and texts that are missing or cannot be read.
pub fn origin(texts: &Metadata) -> Result<(Origin, String), Problem> {
    let version = texts.get("tribord");
    let version = version.ok_or_else(|| fault("it does not say that it is a net of tribord"))?;
    let version = version
        .parse()
        .map_err(|error| unreadable("tribord", error))?;
    if version != VERSION {
        return Err(Problem::other_format(NAME, version, VERSION));
    }
    let origin = Origin {
        game: text(texts, "game")?.to_string(),
        rules: number(texts, "rules")?,
        encoding: number(texts, "encoding")?,
        variant: text(texts, "variant")?.to_string(),
        config: parsed(texts, "network")?,
        search: parsed(texts, "search")?,
        step: number(texts, "step")?,
    };
    Ok((origin, text(texts, "hash")?.to_string()))
}

/// The licence that the texts state.
pub fn licence(texts: &Metadata) -> Option<String> {
    let stated = texts.get("licence").filter(|text| *text != NO_LICENCE);
    stated.cloned()
}

/// Whether the texts say of a net what is true of it. The program that has written them may be another.
///
/// # Errors
/// Weights that do not have the hash, and the first text that is missing or says something else.
pub fn check<G: Encode>(artifact: &Artifact, texts: &Metadata) -> Result<(), Problem> {
    let (stated, hash) = (text(texts, "hash")?, &artifact.hash);
    if stated != hash {
        return Err(fault(&format!(
            "its weights have the hash {hash}, and it says '{stated}'"
        )));
    }
    let variant = serde_json::from_str(&artifact.origin.variant);
    let variant = variant.map_err(|error| unreadable("variant", error))?;
    let parts = ["boards", "planes", "policy", "outcomes", "view"];
    let right = metadata::<G>(artifact, &variant);
    for part in parts {
        let (stated, right) = (text(texts, part)?, &right[part]);
        if stated != right {
            return Err(fault(&format!(
                "it says {part} '{stated}' where '{right}' is right"
            )));
        }
    }
    Ok(())
}

fn text<'a>(texts: &'a Metadata, key: &str) -> Result<&'a str, Problem> {
    let found = texts.get(key).map(String::as_str);
    found.ok_or_else(|| fault(&format!("its {key} is not stated")))
}

fn number<T: FromStr<Err: Display>>(texts: &Metadata, key: &str) -> Result<T, Problem> {
    let number = text(texts, key)?.parse();
    number.map_err(|error| unreadable(key, error))
}

/// A part that is an object; unlike a configuration it states everything.
fn parsed<T: DeserializeOwned + Serialize>(texts: &Metadata, key: &str) -> Result<T, Problem> {
    let unreadable = |error| unreadable(key, error);
    let stated: Json = serde_json::from_str(text(texts, key)?).map_err(unreadable)?;
    let part = T::deserialize(&stated).map_err(unreadable)?;
    let whole = serde_json::to_value(&part).map_err(unreadable)?;
    let mut names = whole.as_object().into_iter().flatten();
    match names.find(|(name, _)| stated.get(name).is_none()) {
        Some((name, _)) => Err(fault(&format!("its {key} does not state {name}"))),
        None => Ok(part),
    }
}

fn unreadable(key: &str, error: impl Display) -> Problem {
    fault(&format!("its {key} cannot be read: {error}"))
}

fn fault(reason: &str) -> Problem {
    Problem::Content {
        name: NAME,
        reason: reason.to_string(),
    }
}
