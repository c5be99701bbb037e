//! The net that a path stands for: a file of tribord or of another format, a folder, or a bundled one.

use std::path::{Path, PathBuf};

use burn::tensor::Device;
use engine::Encode;

use crate::artifact::{self, Artifact, ArtifactError, FILE, Origin, net_from_weights, outcomes};
use crate::bundled;
use crate::export::metadata::{self, Metadata};
use crate::export::{Format, onnx, safetensors};
use crate::frame::{FrameError, Problem};
use crate::net::{Net, Parameters, with_parameters};

/// The weights of a file that has been read.
enum Weights {
    /// In burn's record format.
    Recorded(Vec<u8>),
    /// By name, with what the file says of them.
    Named(Parameters, Metadata),
}

/// The names that a net's file has in a folder of its own.
const FILES: &[&str] = &[FILE, "net.safetensors"];

/// The file of a net, which a folder may stand for: that of a run's step, or of a bundled net.
fn file(path: &Path) -> PathBuf {
    let mut inside = FILES.iter().map(|name| path.join(name));
    let found = inside.find(|path| path.is_file());
    found.unwrap_or_else(|| path.to_path_buf())
}

/// The origin and the weights of a net of this game, from a file or from those that are built in.
fn find<G: Encode>(path: &Path) -> Result<(Origin, Weights), ArtifactError> {
    match bundled::at(path, G::NAME) {
        Some(bytes) => decode_for::<G>(bundled::FORMAT, bytes, path),
        None => checked::<G>(read(path)?, path),
    }
}

/// The origin and the weights in the file of a net, by the end of its name.
fn read(path: &Path) -> Result<(Origin, Weights), FrameError> {
    if path.is_dir() {
        return Err(at(path, Problem::Folder { files: FILES }));
    }
    let bytes = std::fs::read(path).map_err(Problem::Io);
    let found = bytes.and_then(|bytes| decode(Format::of(path), &bytes));
    found.map_err(|problem| at(path, problem))
}

/// The same of a net of this game, out of the bytes that `path` stands for.
fn decode_for<G: Encode>(
    format: Option<Format>,
    bytes: &[u8],
    path: &Path,
) -> Result<(Origin, Weights), ArtifactError> {
    let found = decode(format, bytes).map_err(|problem| at(path, problem))?;
    checked::<G>(found, path)
}

fn checked<G: Encode>(
    found: (Origin, Weights),
    path: &Path,
) -> Result<(Origin, Weights), ArtifactError> {
    found.0.check::<G>(path)?;
    Ok(found)
}

fn at(path: &Path, problem: Problem) -> FrameError {
    FrameError {
        path: path.to_path_buf(),
        problem,
    }
}

/// The origin and the weights in a file of a format, the native one if it is none of the others.
fn decode(format: Option<Format>, bytes: &[u8]) -> Result<(Origin, Weights), Problem> {
    match format {
        None => {
            let (origin, weights) = artifact::decode(bytes)?;
            Ok((origin, Weights::Recorded(weights)))
        }
        Some(Format::Safetensors) => {
            let (texts, parameters) = safetensors::decode(bytes)?;
            let (origin, _) = metadata::origin(&texts)?;
            Ok((origin, Weights::Named(parameters, texts)))
        }
        Some(Format::Onnx) => {
            onnx::metadata(bytes)?;
            Err(Problem::Foreign {
                wanted: "a net of tribord or a safetensors file",
                looks: "it is an ONNX file, which can play but not be read back",
            })
        }
    }
}

impl Artifact {
    /// What a file says about its net, without a look at the weights.
    ///
    /// # Errors
    /// A file that is missing or damaged.
    pub fn origin(path: &Path) -> Result<Origin, ArtifactError> {
        Ok(read(&file(path))?.0)
    }

    /// What a file says about its net of this game, for a path as [`Artifact::load`] takes it, without a
    /// look at the weights.
    ///
    /// # Errors
    /// A file that is missing, damaged, or made for another game or version.
    pub fn origin_for<G: Encode>(path: &Path) -> Result<Origin, ArtifactError> {
        Ok(find::<G>(&file(path))?.0)
    }

    /// Reads a net for a game's variant onto a device. `path` is the native file, the folder that holds
    /// it, a safetensors file, told by the end of its name, or [`bundled::PATH`].
    /// Variants may share a net: those whose encodings have the same sizes, and all sizes of board
    /// where the head of the game serves them.
    ///
    /// # Errors
    /// A file that is missing, damaged, or made for something else.
    pub fn load<G: Encode>(
        path: &Path,
        variant: &G::Variant,
        device: &Device,
    ) -> Result<Artifact, ArtifactError> {
        let path = file(path);
        let (origin, weights) = find::<G>(&path)?;
        Artifact::assemble::<G>(origin, weights, variant, device, &path)
    }

    /// Reads a net as [`Artifact::load`] does, out of the bytes that `path` stands for.
    pub(crate) fn from_bytes<G: Encode>(
        format: Format,
        bytes: &[u8],
        variant: &G::Variant,
        device: &Device,
        path: &Path,
    ) -> Result<Artifact, ArtifactError> {
        let (origin, weights) = decode_for::<G>(Some(format), bytes, path)?;
        Artifact::assemble::<G>(origin, weights, variant, device, path)
    }

    fn assemble<G: Encode>(
        origin: Origin,
        weights: Weights,
        variant: &G::Variant,
        device: &Device,
        path: &Path,
    ) -> Result<Artifact, ArtifactError> {
        let (config, shape) = (&origin.config, G::shape(variant));
        let misfit = |reason| ArtifactError::Weights {
            path: path.to_path_buf(),
            reason,
        };
        let artifact = match weights {
            Weights::Recorded(weights) => {
                let net = net_from_weights(config, shape, outcomes::<G>(), weights, device);
                Artifact::new(origin, net.map_err(misfit)?)
            }
            Weights::Named(parameters, texts) => {
                let fresh = Net::new(config, shape, outcomes::<G>(), 0, device);
                let net = with_parameters(fresh, parameters).map_err(misfit)?;
                let mut artifact = Artifact::new(origin, net);
                let checked = metadata::check::<G>(&artifact, &texts);
                checked.map_err(|problem| at(path, problem))?;
                artifact.licence = metadata::licence(&texts);
                artifact
            }
        };
        match artifact.net.is_finite() {
            true => Ok(artifact),
            false => Err(ArtifactError::NotFinite {
                path: path.to_path_buf(),
            }),
        }
    }
}
