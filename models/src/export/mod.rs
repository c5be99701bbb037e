//! Nets as files of other programs: what such a file says about its net, and the formats.

pub mod certificate;
pub mod metadata;
pub mod onnx;
pub mod safetensors;
pub mod samples;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use engine::Encode;

use crate::artifact::Artifact;
use crate::net::parameters;

/// A file format of other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Named tensors without a graph; read back bit by bit.
    Safetensors,
    /// A graph of standard operators with its weights.
    Onnx,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 2] = [Format::Safetensors, Format::Onnx];

    /// The format that the end of a file's name says; files of tribord itself have none.
    pub fn of(path: &Path) -> Option<Format> {
        let end = path.extension()?;
        Format::ALL.into_iter().find(|format| end == format.name())
    }

    /// The name on the command line, which is also the end of a file's name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Safetensors => "safetensors",
            Format::Onnx => "onnx",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let found = Format::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            format!("'{text}' is not a format: {names}")
        })
    }
}

/// The bytes of a net of this game as a file of a format. Equal nets give equal bytes.
pub fn encode<G: Encode>(artifact: &Artifact, variant: &G::Variant, format: Format) -> Vec<u8> {
    let texts = metadata::metadata::<G>(artifact, variant);
    let parameters = parameters(&artifact.net);
    match format {
        Format::Safetensors => safetensors::encode(&texts, &parameters),
        Format::Onnx => onnx::encode(&texts, G::shape(variant), &parameters),
    }
}
