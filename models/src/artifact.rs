//! A net as a file: weights with all that is needed to know what they are for.

use std::path::{Path, PathBuf};

use burn::module::Module;
use burn::store::ModuleRecord;
use burn::tensor::{Bytes, Device};
use engine::search::Params;
use engine::{Encode, Shape};
use serde::{Deserialize, Serialize};

use crate::frame::{Frame, FrameError, Problem};
use crate::net::{Net, NetConfig};

/// The file kind of a net.
pub const NET: Frame = Frame::new(b"net     ", "a net", 2);

/// The name of the net's file inside its folder `nets/<step>/`.
pub const FILE: &str = "net.trb";

/// Where a net comes from and what it was made for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The game's name.
    pub game: String,
    /// Version of the rules.
    pub rules: u16,
    /// Version of the encoding.
    pub encoding: u16,
    /// The game's variant as JSON.
    pub variant: String,
    /// The sizes of the network.
    pub config: NetConfig,
    /// The search that the net learned with, and plays with.
    pub search: Params,
    /// Learning steps taken.
    pub step: u64,
}

impl Origin {
    /// The origin of a net of this game in this build.
    pub fn of<G: Encode>(
        variant: &G::Variant,
        config: NetConfig,
        search: Params,
        step: u64,
    ) -> Origin {
        Origin {
            game: G::NAME.to_string(),
            rules: G::RULES,
            encoding: G::ENCODING,
            variant: variant_text::<G>(variant),
            config,
            search,
            step,
        }
    }

    /// Whether the net has learned on boards of this variant's size.
    pub fn learned_on<G: Encode>(&self, variant: &G::Variant) -> bool {
        let learned: Result<G::Variant, _> = serde_json::from_str(&self.variant);
        learned.is_ok_and(|learned| G::shape(&learned) == G::shape(variant))
    }

    /// Whether this build plays the game by the rules and the encoding that the net was made for.
    ///
    /// # Errors
    /// Another game or another version, or sizes beyond all bounds, with the path of the net's file.
    pub(crate) fn check<G: Encode>(&self, path: &Path) -> Result<(), ArtifactError> {
        let path = path.to_path_buf();
        if self.game != G::NAME {
            return Err(ArtifactError::OtherGame {
                path,
                found: self.game.clone(),
                wanted: G::NAME,
            });
        }
        let versions = [
            ("rules", self.rules, G::RULES),
            ("encoding", self.encoding, G::ENCODING),
        ];
        if let Some((what, found, wanted)) = versions
            .into_iter()
            .find(|(_, found, wanted)| found != wanted)
        {
            return Err(ArtifactError::OtherVersion {
                path,
                what,
                found,
                game: G::NAME,
                wanted,
            });
        }
        let sizes = self.config.faults();
        let sizes = sizes.map(|(key, range)| (format!("net.{key}"), range));
        let search = self.search.faults();
        let search = search.map(|(key, range)| (format!("search.{key}"), range.to_string()));
        match sizes.chain(search).next() {
            None => Ok(()),
            Some((key, range)) => Err(ArtifactError::Range { path, key, range }),
        }
    }
}

/// A variant as JSON, as it is kept in files.
pub fn variant_text<G: Encode>(variant: &G::Variant) -> String {
    serde_json::to_string(variant).expect("a variant is plain data")
}

/// A net with its origin.
#[derive(Debug)]
pub struct Artifact {
    /// What it is for.
    pub origin: Origin,
    /// The network, on the device it was loaded for.
    pub net: Net,
    /// A short hash of the weights, as shown in reports.
    pub hash: String,
    /// What an exported file says of the terms under which its weights may be used.
    pub licence: Option<String>,
}

/// A net that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// The file cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A net of another game.
    #[error("{path}: a net for {found}, and {wanted} is played here")]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game it is for.
        found: String,
        /// The game that was asked for.
        wanted: &'static str,
    },
    /// A net made for another version of the rules or the encoding.
    #[error("{path}: made for {what} {found} of {game}, and this build uses {wanted}")]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Rules or encoding.
        what: &'static str,
        /// The version in the file.
        found: u16,
        /// The game's name.
        game: &'static str,
        /// The version of this build.
        wanted: u16,
    },
    /// A size or a parameter of the search that no net of tribord has.
    #[error("{path}: its {key} must be {range}")]
    Range {
        /// The file.
        path: PathBuf,
        /// Its key, as in a configuration.
        key: String,
        /// What it may be.
        range: String,
    },
    /// Weights that no network can compute with.
    #[error("{path}: not all of its weights are finite numbers")]
    NotFinite {
        /// The file.
        path: PathBuf,
    },
    /// Weights that do not fit the sizes that the file states.
    #[error("{path}: its weights do not fit the sizes that are played here ({reason})")]
    Weights {
        /// The file.
        path: PathBuf,
        /// The loader's words.
        reason: String,
    },
    /// An ONNX file that cannot be run.
    #[error("{path}: {reason}")]
    Graph {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// What the native file holds.
#[derive(Serialize, Deserialize)]
struct Content {
    origin: Origin,
    weights: Vec<u8>,
}

/// The origin, and the weights in burn's record format, in the bytes of a native file.
pub(crate) fn decode(bytes: &[u8]) -> Result<(Origin, Vec<u8>), Problem> {
    let Content { origin, weights } = NET.decode(bytes)?;
    Ok((origin, weights))
}

/// How many outcomes the value head of a game tells apart.
pub const fn outcomes<G: Encode>() -> usize {
    if G::DRAWS { 3 } else { 2 }
}

/// The weights of a net in burn's record format, with the identities of its parameters.
pub fn weights(net: &Net) -> Vec<u8> {
    let bytes = net.clone().into_record().into_bytes();
    bytes.expect("weights in memory can be packed").to_vec()
}

/// A net with weights in burn's record format.
///
/// # Errors
/// Weights that do not fit the sizes.
pub fn net_from_weights(
    config: &NetConfig,
    shape: Shape,
    outcomes: usize,
    weights: Vec<u8>,
    device: &Device,
) -> Result<Net, String> {
    let record = ModuleRecord::from_bytes(Bytes::from_bytes_vec(weights));
    let record = record.map_err(|error| error.to_string())?;
    let net = Net::new(config, shape, outcomes, 0, device);
    net.try_load_record(record)
        .map_err(|error| error.to_string())
}

impl Artifact {
    /// A net with its origin, from memory.
    pub fn new(origin: Origin, net: Net) -> Artifact {
        let hash = hash(&net);
        Artifact {
            origin,
            net,
            hash,
            licence: None,
        }
    }

    /// Writes the net.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn save(&self, path: &Path) -> Result<(), FrameError> {
        let content = Content {
            origin: self.origin.clone(),
            weights: weights(&self.net),
        };
        NET.write(path, &content)
    }
}

/// Eight hexadecimal digits of the weights' CRC-32: equal weights, equal hash.
pub fn hash(net: &Net) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for values in crate::net::flat_parameters(net) {
        for value in values {
            hasher.update(&value.to_le_bytes());
        }
    }
    format!("{:08x}", hasher.finalize())
}
