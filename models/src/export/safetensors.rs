//! The safetensors format: a header in JSON, then the numbers of every tensor.
//!
//! The header is written here, its keys sorted, so that equal nets give equal files; it is read by the
//! format's own library, after the length of the file has been held against it.

use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors};
use serde::Serialize;
use serde_json::Value as Json;

use super::metadata::Metadata;
use crate::frame::{Problem, looks_like};
use crate::net::{Parameter, Parameters};

const NAME: &str = "a safetensors file";

/// Bytes of the number in front of the header that says how long it is.
const LENGTH: usize = 8;

#[derive(Serialize)]
struct Header<'a> {
    #[serde(rename = "__metadata__")]
    metadata: &'a Metadata,
    #[serde(flatten)]
    tensors: BTreeMap<&'a str, Info<'a>>,
}

#[derive(Serialize)]
struct Info<'a> {
    dtype: &'static str,
    shape: &'a [usize],
    data_offsets: [usize; 2],
}

/// The bytes of a file with these tensors, all of them 32-bit floats.
pub fn encode(metadata: &Metadata, parameters: &Parameters) -> Vec<u8> {
    let mut end = 0;
    let tensors = parameters
        .iter()
        .map(|(name, Parameter { shape, values })| {
            let begin = end;
            end += values.len() * size_of::<f32>();
            let info = Info {
                dtype: "F32",
                shape,
                data_offsets: [begin, end],
            };
            (name.as_str(), info)
        });
    let tensors = tensors.collect();
    let header = serde_json::to_string(&Header { metadata, tensors });
    let mut header = header.expect("a header is plain data");
    // The format wants the numbers aligned.
    header.extend(std::iter::repeat_n(
        ' ',
        header.len().next_multiple_of(8) - header.len(),
    ));
    let mut bytes = Vec::with_capacity(LENGTH + header.len() + end);
    bytes.extend((header.len() as u64).to_le_bytes());
    bytes.extend(header.as_bytes());
    for parameter in parameters.values() {
        bytes.extend(
            parameter
                .values
                .iter()
                .flat_map(|value| value.to_le_bytes()),
        );
    }
    bytes
}

/// Reads what [`encode`] has written.
///
/// # Errors
/// Foreign and damaged bytes, and tensors of other numbers than 32-bit floats.
pub fn decode(bytes: &[u8]) -> Result<(Metadata, Parameters), Problem> {
    let header = check_length(bytes)?;
    let file = SafeTensors::deserialize(bytes).map_err(|_| damaged_header())?;
    let parameters = file.iter().map(|(name, view)| {
        if view.dtype() != Dtype::F32 {
            return Err(content(format!(
                "{name} holds {} numbers, and 32-bit floats (F32) are needed",
                view.dtype()
            )));
        }
        let words = view.data().chunks_exact(4);
        let values = words.map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let parameter = Parameter {
            shape: view.shape().to_vec(),
            values: values.collect(),
        };
        Ok((name.to_string(), parameter))
    });
    let parameters = parameters.collect::<Result<_, _>>()?;
    let metadata = header.get("__metadata__").cloned().unwrap_or(Json::Null);
    let metadata = serde_json::from_value(metadata);
    Ok((metadata.unwrap_or_default(), parameters))
}

/// The header of a file that is as long as its header says.
fn check_length(bytes: &[u8]) -> Result<Json, Problem> {
    let foreign = Problem::Foreign {
        wanted: NAME,
        looks: looks_like(bytes),
    };
    let Some((length, rest)) = bytes.split_first_chunk::<LENGTH>() else {
        return match bytes {
            [] => Err(foreign),
            _ => Err(wrong_length(LENGTH as u64, bytes)),
        };
    };
    if rest.first().is_some_and(|&first| first != b'{') {
        return Err(foreign);
    }
    let length = u64::from_le_bytes(*length);
    let begin = length.saturating_add(LENGTH as u64);
    let header = usize::try_from(length)
        .ok()
        .and_then(|length| rest.get(..length));
    let header = header.ok_or_else(|| wrong_length(begin, bytes))?;
    let header: Json = serde_json::from_slice(header).map_err(|_| damaged_header())?;
    let tensors = header.as_object().into_iter().flatten();
    let ends = tensors.filter_map(|(_, info)| info["data_offsets"][1].as_u64());
    let expected = begin.saturating_add(ends.max().unwrap_or(0));
    if bytes.len() as u64 != expected {
        return Err(wrong_length(expected, bytes));
    }
    Ok(header)
}

fn wrong_length(expected: u64, bytes: &[u8]) -> Problem {
    Problem::Length {
        expected,
        found: bytes.len() as u64,
    }
}

fn damaged_header() -> Problem {
    content("its header is damaged".to_string())
}

fn content(reason: String) -> Problem {
    Problem::Content { name: NAME, reason }
}
