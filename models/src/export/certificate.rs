//! The proof that a net's exported files answer as the net itself does (docs/decisions/0016).

use std::collections::BTreeMap;
use std::path::Path;

use burn::tensor::Device;
use engine::Encode;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::onnx::{RuntimeError, runtime};
use super::samples::{Answer, Sample, answers, positions, samples};
use super::{Format, encode};
use crate::artifact::Artifact;
use crate::difference::largest;
use crate::forward::{Forward, Kernel};
use crate::net::Net;

/// Real positions on which the files are compared with the net, over all board sizes that it serves.
pub const POSITIONS: usize = 256;

/// Of those the ones that a certificate shows.
const SHOWN: usize = 8;

/// Differences from here on fail, in logits and in value. It is absolute: near zero, relative differences
/// say nothing.
pub const TOLERANCE: f32 = 1e-4;

/// The version of the document.
const FORMAT: u32 = 1;

/// What the files of a net are, and how far their answers are from the net's.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Certificate {
    format: u32,
    program: &'static str,
    game: &'static str,
    rules: u16,
    encoding: u16,
    step: u64,
    hash: String,
    positions: usize,
    tolerance: f32,
    files: BTreeMap<&'static str, File>,
    /// Positions with the net's own answers.
    samples: Vec<Sample>,
}

/// A file of a format, and how its answers differ.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct File {
    bytes: usize,
    sha256: String,
    /// What ran the file; none where this build cannot.
    reader: Option<&'static str>,
    differences: Option<Differences>,
}

/// The largest differences over all positions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Differences {
    /// Of policy logits.
    pub policy: f32,
    /// Of the logits of outcomes.
    pub outcomes: f32,
    /// Of values.
    pub value: f32,
}

/// A file that does not answer as its net.
#[derive(Debug, thiserror::Error)]
pub enum Uncertified {
    /// The file cannot be run.
    #[error("the {format} file cannot be read back: {reason}")]
    Unreadable {
        /// The file's format.
        format: Format,
        /// The reader's words.
        reason: String,
    },
    /// Another number.
    #[error(
        "in '{position}' the {format} file's {what} is off by {difference:.2e}, and less than \
         {TOLERANCE:.0e} is needed"
    )]
    Number {
        /// The file's format.
        format: Format,
        /// The position as text.
        position: String,
        /// Which output.
        what: &'static str,
        /// The largest difference.
        difference: f32,
    },
    /// Another best move.
    #[error("in '{position}' the {format} file prefers policy index {found}, and the net {wanted}")]
    Move {
        /// The file's format.
        format: Format,
        /// The position as text.
        position: String,
        /// The legal index that the file prefers.
        found: usize,
        /// The legal index that the net prefers.
        wanted: usize,
    },
}

/// The files of a net, and the proof of them.
#[derive(Debug)]
pub struct Certified {
    /// The proof.
    pub certificate: Certificate,
    encoded: Vec<(Format, Vec<u8>)>,
}

impl Certified {
    /// Writes a net of this game in every format and compares the answers.
    ///
    /// # Errors
    /// A file whose answers are not those of the net.
    pub fn new<G: Encode>(
        artifact: &Artifact,
        variant: &G::Variant,
    ) -> Result<Certified, Uncertified> {
        let encoded = Format::ALL.map(|format| {
            let bytes = encode::<G>(artifact, variant, format);
            (format, bytes)
        });
        let mut files: BTreeMap<_, _> = encoded
            .iter()
            .map(|(format, bytes)| (format.name(), File::unread(*format, bytes)))
            .collect();
        let variants = G::served(variant);
        let mut all = Vec::new();
        for (place, variant) in variants.iter().enumerate() {
            // The first variants take what is left over.
            let count = (POSITIONS + variants.len() - 1 - place) / variants.len();
            let native = forward::<G>(&artifact.net, variant);
            let positions = positions::<G>(variant, &native, count);
            let samples = samples(&native, &positions);
            for (format, bytes) in &encoded {
                let read = read::<G>(*format, bytes, variant)?;
                let Some(read) = read else { continue };
                let differences = compare(*format, &samples, &answers(&read, &positions))?;
                if let Some(file) = files.get_mut(format.name()) {
                    let before = file.differences.unwrap_or_default();
                    file.differences = Some(before.or(differences));
                }
            }
            all.extend(samples);
        }
        let certificate = Certificate {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION"),
            game: G::NAME,
            rules: G::RULES,
            encoding: G::ENCODING,
            step: artifact.origin.step,
            hash: artifact.hash.clone(),
            positions: all.len(),
            tolerance: TOLERANCE,
            files,
            samples: all,
        };
        Ok(Certified {
            certificate,
            encoded: encoded.into(),
        })
    }

    /// The file of a format.
    pub fn bytes(&self, format: Format) -> &[u8] {
        let found = self.encoded.iter().find(|(of, _)| *of == format);
        &found.expect("every format is written").1
    }
}

impl Certificate {
    /// The same with eight of its samples, spread over all of them.
    pub fn shortened(&self) -> Certificate {
        let apart = self.samples.len().div_ceil(SHOWN).max(1);
        Certificate {
            samples: self.samples.iter().step_by(apart).cloned().collect(),
            ..self.clone()
        }
    }

    /// The formats whose files were run and compared.
    pub fn compared(&self) -> Vec<Format> {
        let compared = |format: &Format| self.files[format.name()].differences.is_some();
        Format::ALL.into_iter().filter(compared).collect()
    }
}

impl File {
    fn unread(format: Format, bytes: &[u8]) -> File {
        let digest = Sha256::digest(bytes);
        File {
            bytes: bytes.len(),
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            reader: match format {
                Format::Safetensors => Some("tribord"),
                Format::Onnx => runtime::NAME,
            },
            differences: None,
        }
    }
}

/// The network on the processor.
fn forward<G: Encode>(net: &Net, variant: &G::Variant) -> Forward {
    Forward::new::<G>(net, variant, &Device::flex(), Kernel::Auto)
}

/// A file made ready to evaluate, if this build can read its format.
fn read<G: Encode>(
    format: Format,
    bytes: &[u8],
    variant: &G::Variant,
) -> Result<Option<Forward>, Uncertified> {
    let read = match format {
        Format::Safetensors => {
            let path = Path::new("what is to be written");
            Artifact::from_bytes::<G>(format, bytes, variant, &Device::flex(), path)
                .map(|read| Some(forward::<G>(&read.net, variant)))
                .map_err(|error| error.to_string())
        }
        Format::Onnx => match Forward::of_graph::<G>(bytes, variant) {
            Err(RuntimeError::Absent) => Ok(None),
            Err(error) => Err(error.to_string()),
            Ok(forward) => Ok(Some(forward)),
        },
    };
    read.map_err(|reason| Uncertified::Unreadable { format, reason })
}

/// The largest differences between the net's answers and a file's, in the same order.
///
/// # Errors
/// A number that is off by [`TOLERANCE`] or more, another best move.
pub fn compare(
    format: Format,
    samples: &[Sample],
    answers: &[Answer],
) -> Result<Differences, Uncertified> {
    let mut all = Differences::default();
    for (sample, answer) in samples.iter().zip(answers) {
        let ours = &sample.answer;
        let differences = Differences {
            policy: largest(&ours.policy, &answer.policy),
            outcomes: largest(&ours.outcomes, &answer.outcomes),
            value: largest(&[ours.value], &[answer.value]),
        };
        if let Some((what, difference)) = differences.too_large() {
            return Err(Uncertified::Number {
                format,
                position: sample.text.clone(),
                what,
                difference,
            });
        }
        let found = super::samples::best(&answer.policy, &sample.legal);
        if found != sample.best {
            return Err(Uncertified::Move {
                format,
                position: sample.text.clone(),
                found,
                wanted: sample.best,
            });
        }
        all = all.or(differences);
    }
    Ok(all)
}

impl Differences {
    /// The larger of each.
    fn or(self, other: Differences) -> Differences {
        Differences {
            policy: self.policy.max(other.policy),
            outcomes: self.outcomes.max(other.outcomes),
            value: self.value.max(other.value),
        }
    }

    fn too_large(self) -> Option<(&'static str, f32)> {
        let Differences {
            policy,
            outcomes,
            value,
        } = self;
        let named = [("policy", policy), ("outcomes", outcomes), ("value", value)];
        named
            .into_iter()
            .find(|(_, difference)| difference.is_nan() || *difference >= TOLERANCE)
    }
}
