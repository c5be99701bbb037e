//! A graph of operators while it is written.

use std::collections::BTreeMap;

use super::proto::attribute_proto::AttributeType;
use super::proto::tensor_proto::DataType;
use super::proto::tensor_shape_proto::{Dimension, dimension};
use super::proto::{
    AttributeProto, GraphProto, NodeProto, TensorProto, TensorShapeProto, TypeProto,
    ValueInfoProto, type_proto,
};

/// The name of a value: an input, a constant, or what an operator gives.
pub(super) type Value = String;

/// Operators in the order of their work, and the constants they use.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<NodeProto>,
    constants: BTreeMap<String, TensorProto>,
}

/// One axis of an input or output.
#[derive(Clone, Copy)]
pub(super) enum Axis {
    /// An axis of any length, by name.
    Any(&'static str),
    /// An axis of one length.
    Of(usize),
}

/// A setting of an operator.
#[derive(Clone, Copy)]
pub(super) enum Setting<'a> {
    /// A number.
    One(&'static str, i64),
    /// A list of numbers.
    Many(&'static str, &'a [i64]),
}

impl Graph {
    /// Applies an operator within a layer; what it gives is called `layer/operator`.
    pub(super) fn apply(
        &mut self,
        operator: &str,
        layer: &str,
        inputs: &[&str],
        settings: &[Setting<'_>],
    ) -> Value {
        self.apply_as(&format!("{layer}/{operator}"), operator, inputs, settings)
    }

    /// Applies an operator and gives its result a name.
    pub(super) fn apply_as(
        &mut self,
        name: &str,
        operator: &str,
        inputs: &[&str],
        settings: &[Setting<'_>],
    ) -> Value {
        self.nodes.push(NodeProto {
            input: inputs.iter().map(ToString::to_string).collect(),
            output: vec![name.to_string()],
            name: Some(name.to_string()),
            op_type: Some(operator.to_string()),
            attribute: settings.iter().map(Setting::attribute).collect(),
        });
        name.to_string()
    }

    /// A constant of 32-bit floats.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) -> Value {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        self.constant(name, DataType::Float, shape, bytes.collect())
    }

    /// A constant list of integers.
    pub(super) fn list(&mut self, name: &str, values: &[i64]) -> Value {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        self.constant(name, DataType::Int64, &[values.len()], bytes.collect())
    }

    /// A constant integer.
    pub(super) fn integer(&mut self, name: &str, value: i64) -> Value {
        self.constant(name, DataType::Int64, &[], value.to_le_bytes().to_vec())
    }

    fn constant(&mut self, name: &str, kind: DataType, shape: &[usize], bytes: Vec<u8>) -> Value {
        let tensor = TensorProto {
            dims: shape.iter().map(|&length| length as i64).collect(),
            data_type: Some(kind as i32),
            name: Some(name.to_string()),
            raw_data: Some(bytes),
        };
        self.constants.insert(name.to_string(), tensor);
        name.to_string()
    }

    /// The finished graph.
    pub(super) fn finish(
        self,
        name: &str,
        inputs: Vec<ValueInfoProto>,
        outputs: Vec<ValueInfoProto>,
    ) -> GraphProto {
        GraphProto {
            node: self.nodes,
            name: Some(name.to_string()),
            initializer: self.constants.into_values().collect(),
            input: inputs,
            output: outputs,
        }
    }
}

impl Setting<'_> {
    fn attribute(&self) -> AttributeProto {
        let (name, kind, one, many) = match *self {
            Setting::One(name, number) => (name, AttributeType::Int, Some(number), vec![]),
            Setting::Many(name, numbers) => (name, AttributeType::Ints, None, numbers.to_vec()),
        };
        AttributeProto {
            name: Some(name.to_string()),
            r#type: Some(kind as i32),
            i: one,
            ints: many,
        }
    }
}

/// An input or output of 32-bit floats.
pub(super) fn tensor(name: &str, axes: &[Axis], meaning: &str) -> ValueInfoProto {
    let dimensions = axes.iter().map(|axis| Dimension {
        value: Some(match axis {
            Axis::Any(name) => dimension::Value::DimParam(name.to_string()),
            Axis::Of(length) => dimension::Value::DimValue(*length as i64),
        }),
    });
    let tensor = type_proto::Tensor {
        elem_type: Some(DataType::Float as i32),
        shape: Some(TensorShapeProto {
            dim: dimensions.collect(),
        }),
    };
    ValueInfoProto {
        name: Some(name.to_string()),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(tensor)),
        }),
        doc_string: Some(meaning.to_string()),
    }
}
