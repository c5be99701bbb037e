//! The network as a graph: the layers of `net/mod.rs` and `net/heads.rs` in their order.
//!
//! A net for every board size takes a mask beside its planes, so that a batch can hold boards of
//! different sizes, each in the top left corner of the largest. Whatever a layer writes beside a board is
//! put back to zero, which is what a convolution finds there on a board of its own. Activations that are
//! pooled are never negative, so those zeros change no maximum.

use engine::{Head, Shape};

use super::graph::{Axis, Graph, Setting, Value, tensor};
use super::names::{MASK, OUTCOMES, PLANES, POLICY, VALUE};
use super::proto::{GraphProto, ValueInfoProto};
use crate::net::{Parameter, Parameters};

const BATCH: Axis = Axis::Any("batch");

/// The graph of the network with these parameters.
pub(super) fn graph(shape: Shape, parameters: &Parameters) -> GraphProto {
    let mut writer = Writer {
        shape,
        parameters,
        graph: Graph::default(),
        points: None,
    };
    if shape.head.serves_every_size() {
        writer.count_points();
    }
    let features = writer.trunk();
    writer.policy(&features);
    let outcomes = writer.value(&features);
    let (inputs, outputs) = (writer.inputs(), writer.outputs(outcomes));
    writer.graph.finish("network", inputs, outputs)
}

struct Writer<'a> {
    shape: Shape,
    parameters: &'a Parameters,
    graph: Graph,
    /// The number of each board's points `[batch, 1]`, where the net serves every size.
    points: Option<Value>,
}

impl Writer<'_> {
    fn trunk(&mut self) -> Value {
        let x = self.conv("stem", PLANES);
        let mut x = self.relu("stem", &x);
        for block in 0.. {
            let layer = |name: &str| format!("blocks.{block}.{name}");
            let (first, second) = (layer("first"), layer("second"));
            if !self.has(&first) {
                break;
            }
            let branch = self.conv(&first, &x);
            let mut branch = self.relu(&first, &branch);
            if self.points.is_some() {
                branch = self.tell_everywhere(&layer("pooled"), &branch);
            }
            let branch = self.conv(&second, &branch);
            let sum = self.graph.apply("Add", &second, &[&x, &branch], &[]);
            x = self.relu(&second, &sum);
        }
        x
    }

    fn policy(&mut self, x: &str) {
        match self.shape.head {
            Head::Dense => {
                let x = self.conv("policy.conv", x);
                let x = self.relu("policy.conv", &x);
                let x = self.flatten("policy.conv", &x);
                self.linear_as(POLICY, "policy.linear", &x);
            }
            Head::Pairs => self.pairs(x),
            Head::Planes { .. } => {
                let x = self.conv("policy.conv", x);
                let x = self.relu("policy.conv", &x);
                let planes = self.conv("policy.planes", &x);
                let planes = self.flatten("policy.planes", &planes);
                let rest = self.pooled("policy.rest", &x);
                let rest = self.linear("policy.rest", &rest);
                let axis = [Setting::One("axis", 1)];
                self.graph
                    .apply_as(POLICY, "Concat", &[&planes, &rest], &axis);
            }
        }
    }

    /// The scaled product of what leaves a point with what arrives at another.
    fn pairs(&mut self, x: &str) {
        let inner = self.parameter("policy.from.bias").shape[0];
        let cells = self.shape.rows * self.shape.columns;
        // A zero keeps the axis as it is.
        let vectors = [0, inner as i64, cells as i64];
        let vectors = self.graph.list("policy.vectors", &vectors);
        let [from, to] = ["policy.from", "policy.to"].map(|layer| {
            let x = self.conv(layer, x);
            self.graph.apply("Reshape", layer, &[&x, &vectors], &[])
        });
        let swapped = [Setting::Many("perm", &[0, 2, 1])];
        let from = self
            .graph
            .apply("Transpose", "policy.from", &[&from], &swapped);
        let pairs = self.graph.apply("MatMul", "policy", &[&from, &to], &[]);
        let scale = 1.0 / (inner as f32).sqrt();
        let scale = self.graph.floats("policy.scale", &[], &[scale]);
        let pairs = self.graph.apply("Mul", "policy", &[&pairs, &scale], &[]);
        self.graph
            .apply_as(POLICY, "Flatten", &[&pairs], &[Setting::One("axis", 1)]);
    }

    /// Writes both outputs of the value head; gives the number of outcomes.
    fn value(&mut self, x: &str) -> usize {
        let x = self.conv("value.conv", x);
        let x = self.relu("value.conv", &x);
        let x = match self.points {
            Some(_) => self.pooled("value.hidden", &x),
            None => self.flatten("value.conv", &x),
        };
        let x = self.linear("value.hidden", &x);
        let x = self.graph.apply("Relu", "value.hidden", &[&x], &[]);
        let logits = self.linear_as(OUTCOMES, "value.output", &x);
        let outcomes = self.parameter("value.output.bias").shape[0];
        let axis = [Setting::One("axis", 1)];
        let shares = self.graph.apply("Softmax", VALUE, &[&logits], &axis);
        let [win, loss] = [("win", 0), ("loss", outcomes - 1)].map(|(outcome, place)| {
            let name = format!("{VALUE}.{outcome}");
            let place = self.graph.integer(&name, place as i64);
            self.graph.apply("Gather", &name, &[&shares, &place], &axis)
        });
        self.graph.apply_as(VALUE, "Sub", &[&win, &loss], &[]);
        outcomes
    }

    /// The convolution of a layer, zeros around the board.
    fn conv(&mut self, layer: &str, x: &str) -> Value {
        let (weight, bias) = self.layer(layer);
        let side = self.parameter(&weight).shape[3] as i64;
        let around = side / 2;
        let settings = [
            Setting::Many("kernel_shape", &[side, side]),
            Setting::Many("pads", &[around; 4]),
        ];
        self.graph
            .apply("Conv", layer, &[x, &weight, &bias], &settings)
    }

    /// The positive part, on the board alone.
    fn relu(&mut self, layer: &str, x: &str) -> Value {
        let x = self.graph.apply("Relu", layer, &[x], &[]);
        self.on_board(layer, x)
    }

    fn on_board(&mut self, layer: &str, x: Value) -> Value {
        match self.points {
            Some(_) => self.graph.apply("Mul", layer, &[&x, MASK], &[]),
            None => x,
        }
    }

    fn flatten(&mut self, layer: &str, x: &str) -> Value {
        self.graph
            .apply("Flatten", layer, &[x], &[Setting::One("axis", 1)])
    }

    fn linear(&mut self, layer: &str, x: &str) -> Value {
        self.linear_as(&format!("{layer}/Gemm"), layer, x)
    }

    fn linear_as(&mut self, name: &str, layer: &str, x: &str) -> Value {
        let (weight, bias) = self.layer(layer);
        let transposed = [Setting::One("transB", 1)];
        self.graph
            .apply_as(name, "Gemm", &[x, &weight, &bias], &transposed)
    }

    /// Adds to each point what a linear layer makes of mean and maximum.
    fn tell_everywhere(&mut self, layer: &str, x: &str) -> Value {
        let told = self.pooled(layer, x);
        let told = self.linear(layer, &told);
        let axes = self.board_axes();
        let told = self.graph.apply("Unsqueeze", layer, &[&told, &axes], &[]);
        let x = self.graph.apply("Add", layer, &[x, &told], &[]);
        self.on_board(layer, x)
    }

    /// Mean and maximum over the board: `[batch, 2 * channels]`.
    fn pooled(&mut self, layer: &str, x: &str) -> Value {
        let sum = self.sum(layer, x);
        let points = self.points.clone().expect("only nets for every size pool");
        let mean = self.graph.apply("Div", layer, &[&sum, &points], &[]);
        let settings = [Setting::Many("axes", &[2, 3]), Setting::One("keepdims", 0)];
        let most = self.graph.apply("ReduceMax", layer, &[x], &settings);
        let axis = [Setting::One("axis", 1)];
        self.graph.apply("Concat", layer, &[&mean, &most], &axis)
    }

    fn count_points(&mut self) {
        self.points = Some(self.sum(MASK, MASK));
    }

    /// The sum over the points: `[batch, channels]`.
    fn sum(&mut self, layer: &str, x: &str) -> Value {
        let axes = self.board_axes();
        let settings = [Setting::One("keepdims", 0)];
        self.graph.apply("ReduceSum", layer, &[x, &axes], &settings)
    }

    fn board_axes(&mut self) -> Value {
        self.graph.list("rows_and_columns", &[2, 3])
    }

    /// The names of a layer's weight and bias, which become constants of the graph.
    fn layer(&mut self, layer: &str) -> (Value, Value) {
        let mut name = |kind: &str| {
            let name = format!("{layer}.{kind}");
            let Parameter { shape, values } = &self.parameters[&name];
            self.graph.floats(&name, shape, values)
        };
        (name("weight"), name("bias"))
    }

    fn has(&self, layer: &str) -> bool {
        self.parameters.contains_key(&format!("{layer}.weight"))
    }

    fn parameter(&self, name: &str) -> &Parameter {
        &self.parameters[name]
    }

    fn inputs(&self) -> Vec<ValueInfoProto> {
        let (rows, columns) = self.board();
        let planes = tensor(
            PLANES,
            &[BATCH, Axis::Of(self.shape.planes), rows, columns],
            "positions as the side to move sees them, the top row first; beside the board 0",
        );
        let mask = self.points.as_ref().map(|_| {
            tensor(
                MASK,
                &[BATCH, Axis::Of(1), rows, columns],
                "1 on the points of the board, which begins at the top left, and 0 beside it",
            )
        });
        [planes].into_iter().chain(mask).collect()
    }

    fn outputs(&self, outcomes: usize) -> Vec<ValueInfoProto> {
        let policy = match self.points {
            Some(_) => Axis::Any("policy"),
            None => Axis::Of(self.shape.policy),
        };
        let order = if outcomes == 3 {
            "win, draw, loss"
        } else {
            "win, loss"
        };
        vec![
            tensor(
                POLICY,
                &[BATCH, policy],
                "logits; only those of legal moves mean anything",
            ),
            tensor(
                OUTCOMES,
                &[BATCH, Axis::Of(outcomes)],
                &format!("logits of {order} for the side to move"),
            ),
            tensor(VALUE, &[BATCH], "from -1 to 1 for the side to move"),
        ]
    }

    fn board(&self) -> (Axis, Axis) {
        match self.points {
            Some(_) => (Axis::Any("rows"), Axis::Any("columns")),
            None => (Axis::Of(self.shape.rows), Axis::Of(self.shape.columns)),
        }
    }
}
