//! Opening books: balanced first positions, no two alike under the game's symmetries.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context;
use engine::draws::{Purpose, keyed};
use engine::opening::first_position;
use engine::{Encode, Status, TextError};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::matches::{Course, Seat};

/// A set of first positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// Version of the format.
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// Version of the rules.
    pub rules: u16,
    /// The rule options.
    pub variant: Json,
    /// Random plies of each opening.
    pub plies: u32,
    /// Everything random follows from this number.
    pub seed: u64,
    /// Who judged the openings.
    pub judge: String,
    /// How far from 0 an opening's value may lie, on the scale from -1 to 1.
    pub within: f64,
    /// Position texts.
    pub openings: Vec<String>,
}

/// A book that is of no use here.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// For another game, other rules or other options.
    #[error("a book for {found}, and {wanted} is played here")]
    Other {
        /// What the book is for.
        found: String,
        /// What is played.
        wanted: String,
    },
    /// A position that cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// No opening in it.
    #[error("a book without openings")]
    Empty,
}

/// Candidates that are tried for each opening that is wanted.
const TRIES: u64 = 200;

impl Book {
    /// Makes a book of `count` openings, or of as many as can be found.
    ///
    /// # Errors
    /// A start that cannot be made, or a judge that fails.
    pub fn make<G: Encode>(
        variant: &G::Variant,
        plies: u32,
        seed: u64,
        judge: &Seat,
        within: f64,
        count: usize,
    ) -> anyhow::Result<Book> {
        let mut player = judge.player::<G>();
        let (mut seen, mut openings) = (HashSet::new(), Vec::new());
        for number in 0..TRIES * count as u64 {
            if openings.len() == count {
                break;
            }
            let mut draws = keyed(seed, Purpose::Start, number, 0);
            let position: G = first_position(variant, &G::Start::default(), plies, &mut draws)?;
            let alike = position
                .symmetries()
                .iter()
                .map(|&symmetry| position.map(symmetry).key());
            if !matches!(position.status(), Status::ToMove(_)) || !seen.insert(alike.min()) {
                continue;
            }
            let course = Course::from(&position, number);
            let draws = keyed(seed, Purpose::Choice, number, 0);
            let found = player.verdict(&position, &course, draws);
            let verdict = found.map_err(|fault| anyhow::anyhow!("{} {fault}", judge.spec()))?;
            if verdict.value.0.abs() <= within {
                openings.push(position.text());
            }
        }
        Ok(Book {
            format: 1,
            game: G::NAME.into(),
            rules: G::RULES,
            variant: serde_json::to_value(variant)?,
            plies,
            seed,
            judge: judge.spec().to_string(),
            within,
            openings,
        })
    }

    /// Reads a book's positions.
    ///
    /// # Errors
    /// A file that cannot be read, or is for something else.
    pub fn read<G: Encode>(path: &Path, variant: &G::Variant) -> anyhow::Result<Vec<G>> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let book: Book = serde_json::from_str(&text)
            .with_context(|| format!("{} is no opening book", path.display()))?;
        book.positions::<G>(variant)
            .with_context(|| path.display().to_string())
    }

    /// The positions, for games of a variant.
    ///
    /// # Errors
    /// A book for something else, or a position that cannot be read.
    pub fn positions<G: Encode>(&self, variant: &G::Variant) -> Result<Vec<G>, BookError> {
        let found = format!("{}, rules {}, {}", self.game, self.rules, self.variant);
        let json = serde_json::to_value(variant).unwrap_or_default();
        let wanted = format!("{}, rules {}, {json}", G::NAME, G::RULES);
        if found != wanted {
            return Err(BookError::Other { found, wanted });
        }
        if self.openings.is_empty() {
            return Err(BookError::Empty);
        }
        Ok(self
            .openings
            .iter()
            .map(|text| G::parse(text, variant))
            .collect::<Result<_, _>>()?)
    }
}
