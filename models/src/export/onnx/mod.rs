//! The ONNX format: the network as a graph of standard operators (docs/decisions/0015).

mod graph;
mod network;
#[allow(missing_docs, clippy::all)]
#[rustfmt::skip]
mod proto;
#[cfg_attr(feature = "onnx", path = "tract.rs")]
#[cfg_attr(not(feature = "onnx"), path = "absent.rs")]
pub mod runtime;

use engine::Shape;
use prost::Message;

use super::metadata::Metadata;
use crate::frame::{Problem, looks_like};
use crate::net::Parameters;
use proto::{ModelProto, OperatorSetIdProto, StringStringEntryProto};

const NAME: &str = "a file in ONNX format";

/// The version of the file format; 8 came with operator set 17.
const IR_VERSION: i64 = 8;

/// The version of the operators. Those that the graph uses mean the same from 13 to 17.
pub const OPERATOR_SET: i64 = 17;

/// Every operator that a graph may use.
pub const OPERATORS: [&str; 17] = [
    "Add",
    "Concat",
    "Conv",
    "Div",
    "Flatten",
    "Gather",
    "Gemm",
    "MatMul",
    "Mul",
    "ReduceMax",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Softmax",
    "Sub",
    "Transpose",
    "Unsqueeze",
];

/// The names of a graph's inputs and outputs.
pub mod names {
    /// Input `[batch, planes, rows, columns]`.
    pub const PLANES: &str = "planes";
    /// Input of nets for every board size, `[batch, 1, rows, columns]`: 1 on the board, 0 beside it.
    pub const MASK: &str = "mask";
    /// Output `[batch, policy]`: logits.
    pub const POLICY: &str = "policy";
    /// Output `[batch, outcomes]`: logits of win, (draw,) loss as the mover sees them.
    pub const OUTCOMES: &str = "outcomes";
    /// Output `[batch]`: the share of wins less that of losses.
    pub const VALUE: &str = "value";
}

/// A graph that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The build leaves the runtime out.
    #[error(
        "an ONNX file needs a build with `--features onnx`, which this one is not; a safetensors file of the \
         same net needs nothing"
    )]
    Absent,
    /// The runtime refuses the graph.
    #[error("the runtime refuses the graph: {0}")]
    Refused(String),
}

/// The bytes of a file with the network that has these sizes and parameters.
pub fn encode(metadata: &Metadata, shape: Shape, parameters: &Parameters) -> Vec<u8> {
    let texts = metadata.iter().map(|(key, text)| StringStringEntryProto {
        key: Some(key.clone()),
        value: Some(text.clone()),
    });
    let model = ModelProto {
        ir_version: Some(IR_VERSION),
        opset_import: vec![OperatorSetIdProto {
            domain: Some(String::new()),
            version: Some(OPERATOR_SET),
        }],
        producer_name: Some("tribord".to_string()),
        producer_version: Some(env!("CARGO_PKG_VERSION").to_string()),
        graph: Some(network::graph(shape, parameters)),
        metadata_props: texts.collect(),
    };
    model.encode_to_vec()
}

/// What a file says about its net.
///
/// # Errors
/// Foreign bytes, and a file that is cut short.
pub fn metadata(bytes: &[u8]) -> Result<Metadata, Problem> {
    // The first field of a model is the version of the format.
    if !matches!(bytes, [0x08, 0x01..=0x20, ..]) {
        return Err(Problem::Foreign {
            wanted: NAME,
            looks: looks_like(bytes),
        });
    }
    let model = ModelProto::decode(bytes).map_err(|_| Problem::Content {
        name: NAME,
        reason: "it is damaged or cut short".to_string(),
    })?;
    let texts = model.metadata_props.into_iter();
    let texts = texts.map(|entry| {
        (
            entry.key.unwrap_or_default(),
            entry.value.unwrap_or_default(),
        )
    });
    Ok(texts.collect())
}
