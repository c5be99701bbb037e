//! Exact values of EinStein at work: table files, leaf values, targets, regret and luck.
//!
//! Everything else is generic over games. [`Truth::value`] is the seam: it answers for positions of
//! EinStein that its table covers and says nothing of others.

mod leaves;
mod luck;
mod positions;
mod regret;
mod tables;

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use engine::games::einstein::Einstein;
use engine::games::einstein::exact::{Exact, Table, TableError};
use engine::{Game, Value};
use models::{FrameError, Mapping};

use crate::config::TruthSection;

pub use leaves::ExactLeaves;
pub use luck::Luck;
pub(crate) use positions::cubes;
pub use positions::public_set;
pub use regret::{Loss, Regret, measure, of_net};
pub use tables::{TABLE, compute, default_path};

/// Cubes of the table that is built in memory where none is named.
pub const BUILT_STONES: u8 = 4;

/// Distinct positions beyond the table that a player or a measurement values for one question.
pub const BOUND: usize = 20_000;

/// A table that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// The file is missing, damaged or of another kind.
    #[error("{0}; `tribord tables einstein --stones N --out FILE` makes a table")]
    // No source beside its own words, or they would be told twice.
    File(FrameError),
    /// The file is whole, and its content is not for this build.
    #[error("{path}: {problem}")]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: TableError,
    },
}

/// Where a table's bytes lie.
#[derive(Debug)]
pub enum Bytes {
    /// In a file.
    Mapped(Mapping),
    /// In memory.
    Owned(Vec<u8>),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(mapping) => mapping.as_ref(),
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// Exact values, from a table and by bounded expectimax beyond it.
#[derive(Debug)]
pub struct Truth {
    /// The source of values for EinStein alone.
    pub exact: Exact<Bytes>,
}

impl Truth {
    /// Maps a table file; beyond it at most `bound` distinct positions are valued for one question.
    ///
    /// # Errors
    /// A file that is missing, damaged, or made for another build.
    pub fn open(path: &Path, bound: usize) -> Result<Truth, TruthError> {
        let bytes = Bytes::Mapped(TABLE.map(path).map_err(TruthError::File)?);
        let table = Table::from_bytes(bytes).map_err(|problem| TruthError::Table {
            path: path.to_path_buf(),
            problem,
        })?;
        Ok(Truth {
            exact: Exact::new(Some(table), bound),
        })
    }

    /// Expectimax alone.
    pub fn without_table(bound: usize) -> Truth {
        Truth {
            exact: Exact::new(None, bound),
        }
    }

    /// A table file, or where none is named a table of [`BUILT_STONES`] cubes that is built in memory,
    /// once in a process, within seconds.
    ///
    /// # Errors
    /// As [`Truth::open`], or an interruption.
    pub fn open_or_build(path: Option<&Path>, threads: usize) -> anyhow::Result<Arc<Truth>> {
        static BUILT: OnceLock<Arc<Truth>> = OnceLock::new();
        if let Some(path) = path {
            return Ok(Arc::new(Truth::open(path, BOUND)?));
        }
        if let Some(built) = BUILT.get() {
            return Ok(built.clone());
        }
        let table = compute(BUILT_STONES, threads)?.to_bytes();
        let table = Table::from_bytes(Bytes::Owned(table))?;
        let truth = Arc::new(Truth {
            exact: Exact::new(Some(table), BOUND),
        });
        Ok(BUILT.get_or_init(|| truth).clone())
    }

    /// The most cubes of a position in the table, 0 without one.
    pub fn stones(&self) -> u8 {
        self.exact.table().map_or(0, Table::stones)
    }

    /// The value of a position before or after the roll, where the table covers it.
    pub fn value<G: Game>(&self, position: &G) -> Option<Value> {
        let position: &Einstein = (position as &dyn Any).downcast_ref()?;
        let view = self.exact.table()?.value(position)?;
        Some(Value::from_view(view, position.mover()))
    }
}

/// The table that a configuration names.
///
/// # Errors
/// As [`Truth::open`].
pub fn of_config(section: &TruthSection) -> Result<Option<Arc<Truth>>, TruthError> {
    let open = |path| Truth::open(path, BOUND).map(Arc::new);
    section.file().map(open).transpose()
}

/// A value as another type that is the same one, as where a generic game turns out to be EinStein.
pub(crate) fn same<A: 'static, B: 'static>(value: A) -> Option<B> {
    let value: Box<dyn Any> = Box::new(value);
    value.downcast().ok().map(|value| *value)
}
