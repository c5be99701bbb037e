//! A net out of a file of any format, ready to play.

use std::path::{Path, PathBuf};

use burn::tensor::Device;
use engine::Encode;

use crate::artifact::{Artifact, ArtifactError, Origin};
use crate::export::{Format, metadata, onnx};
use crate::forward::{Forward, Kernel};
use crate::frame::{FrameError, Problem};

/// A net that only evaluates.
#[derive(Debug)]
pub struct Ready {
    /// What it is for.
    pub origin: Origin,
    /// The hash of its weights.
    pub hash: String,
    /// The network.
    pub forward: Forward,
}

impl Ready {
    /// Reads a net for a game's variant. `path` is a file or folder as for [`Artifact::load`], or an ONNX
    /// file, which its runtime evaluates on the processor whatever device and kernel are asked for.
    ///
    /// # Errors
    /// A file that is missing, damaged, or made for something else; an ONNX file in a build without its
    /// runtime.
    pub fn load<G: Encode>(
        path: &Path,
        variant: &G::Variant,
        device: &Device,
        kernel: Kernel,
    ) -> Result<Ready, ArtifactError> {
        if Format::of(path) == Some(Format::Onnx) {
            return Ready::from_onnx::<G>(path, variant);
        }
        let Artifact {
            origin, net, hash, ..
        } = Artifact::load::<G>(path, variant, device)?;
        Ok(Ready {
            origin,
            hash,
            forward: Forward::new::<G>(&net, variant, device, kernel),
        })
    }

    fn from_onnx<G: Encode>(path: &Path, variant: &G::Variant) -> Result<Ready, ArtifactError> {
        let path = PathBuf::from(path);
        let read = || -> Result<_, Problem> {
            let bytes = std::fs::read(&path)?;
            let (origin, hash) = metadata::origin(&onnx::metadata(&bytes)?)?;
            Ok((bytes, origin, hash))
        };
        let (bytes, origin, hash) = read().map_err(|problem| FrameError {
            path: path.clone(),
            problem,
        })?;
        origin.check::<G>(&path)?;
        match Forward::of_graph::<G>(&bytes, variant) {
            Ok(forward) => Ok(Ready {
                origin,
                hash,
                forward,
            }),
            Err(error) => Err(ArtifactError::Graph {
                path,
                reason: error.to_string(),
            }),
        }
    }
}
