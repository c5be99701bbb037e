//! An ONNX file read by the numbers of its fields in onnx.proto, without the code that wrote it.

use std::collections::BTreeMap;

use super::operators::Array;

/// What a file holds.
pub struct File {
    pub ir_version: u64,
    /// Domain and version.
    pub operator_sets: Vec<(String, u64)>,
    pub metadata: BTreeMap<String, String>,
    pub inputs: Vec<Tensor>,
    pub outputs: Vec<Tensor>,
    pub nodes: Vec<Node>,
    pub constants: BTreeMap<String, Array>,
}

/// An input or output: the length or the name of each axis.
#[derive(PartialEq, Debug)]
pub struct Tensor {
    pub name: String,
    pub element: u64,
    pub axes: Vec<String>,
}

/// An operator with its settings, each a list of numbers.
pub struct Node {
    pub operator: String,
    pub inputs: Vec<String>,
    pub output: String,
    pub settings: BTreeMap<String, Vec<i64>>,
}

impl File {
    pub fn read(bytes: &[u8]) -> File {
        let model = Message::read(bytes);
        let graph = model.message(7);
        let pairs = |entry: &Message| (entry.text(1), entry.text(2));
        let sets = model.messages(8);
        File {
            ir_version: model.number(1),
            operator_sets: sets
                .iter()
                .map(|set| (set.text(1), set.number(2)))
                .collect(),
            metadata: model.messages(14).iter().map(pairs).collect(),
            inputs: graph.messages(11).iter().map(tensor).collect(),
            outputs: graph.messages(12).iter().map(tensor).collect(),
            nodes: graph.messages(1).iter().map(node).collect(),
            constants: graph.messages(5).iter().map(constant).collect(),
        }
    }
}

fn tensor(value: &Message) -> Tensor {
    let tensor = value.message(2).message(1);
    let axes = tensor.message(2).messages(1);
    let axis = |axis: &Message| match axis.has(2) {
        true => axis.text(2),
        false => axis.number(1).to_string(),
    };
    Tensor {
        name: value.text(1),
        element: tensor.number(1),
        axes: axes.iter().map(axis).collect(),
    }
}

fn node(node: &Message) -> Node {
    let settings = node.messages(5);
    let setting = |setting: &Message| {
        // A type of 2 is a number, 7 a list of numbers.
        let numbers = match setting.number(20) {
            2 => setting.numbers(3),
            7 => setting.numbers(8),
            other => panic!("a setting of type {other}"),
        };
        (setting.text(1), numbers)
    };
    let outputs = node.texts(2);
    assert_eq!(outputs.len(), 1);
    Node {
        operator: node.text(4),
        inputs: node.texts(1),
        output: outputs[0].clone(),
        settings: settings.iter().map(setting).collect(),
    }
}

fn constant(tensor: &Message) -> (String, Array) {
    let shape = tensor.numbers(1).into_iter().map(|length| length as usize);
    let bytes = tensor.bytes(9);
    let values = match tensor.number(2) {
        1 => bytes
            .chunks_exact(4)
            .map(|word| f64::from(f32::from_le_bytes(word.try_into().unwrap())))
            .collect(),
        7 => bytes
            .chunks_exact(8)
            .map(|word| i64::from_le_bytes(word.try_into().unwrap()) as f64)
            .collect(),
        other => panic!("elements of type {other}"),
    };
    (tensor.text(8), Array::new(shape.collect(), values))
}

/// The fields of a protobuf message by number.
struct Message<'a>(Vec<(u64, Field<'a>)>);

enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Message<'a> {
    fn read(mut bytes: &'a [u8]) -> Message<'a> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let field = match key & 7 {
                0 => Field::Number(varint(&mut bytes)),
                2 => {
                    let length = varint(&mut bytes) as usize;
                    let (field, rest) = bytes.split_at(length);
                    bytes = rest;
                    Field::Bytes(field)
                }
                other => panic!("a field of wire type {other}"),
            };
            fields.push((key >> 3, field));
        }
        Message(fields)
    }

    fn all(&self, number: u64) -> impl Iterator<Item = &Field<'a>> {
        self.0
            .iter()
            .filter(move |(of, _)| *of == number)
            .map(|(_, field)| field)
    }

    fn has(&self, number: u64) -> bool {
        self.all(number).next().is_some()
    }

    fn numbers(&self, number: u64) -> Vec<i64> {
        let numbers = self.all(number).map(|field| match field {
            Field::Number(number) => *number as i64,
            Field::Bytes(_) => panic!("field {number} is no number"),
        });
        numbers.collect()
    }

    fn number(&self, number: u64) -> u64 {
        self.numbers(number)
            .first()
            .map_or(0, |&found| found as u64)
    }

    fn slices(&self, number: u64) -> Vec<&'a [u8]> {
        let slices = self.all(number).map(|field| match field {
            Field::Bytes(bytes) => *bytes,
            Field::Number(_) => panic!("field {number} is a number"),
        });
        slices.collect()
    }

    fn bytes(&self, number: u64) -> &'a [u8] {
        self.slices(number).first().copied().unwrap_or_default()
    }

    fn texts(&self, number: u64) -> Vec<String> {
        let texts = self.slices(number).into_iter();
        texts
            .map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
            .collect()
    }

    fn text(&self, number: u64) -> String {
        self.texts(number).into_iter().next().unwrap_or_default()
    }

    fn messages(&self, number: u64) -> Vec<Message<'a>> {
        self.slices(number).into_iter().map(Message::read).collect()
    }

    fn message(&self, number: u64) -> Message<'a> {
        Message::read(self.bytes(number))
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        number |= u64::from(first & 0x7F) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    number
}
