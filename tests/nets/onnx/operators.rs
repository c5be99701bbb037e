//! The operators of ONNX as its page "Operators" describes them, slow and plain, in 64-bit floats.

use std::collections::BTreeMap;

use super::file::{File, Node};

/// Numbers with axes, the last running fastest.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

impl Array {
    pub fn new(shape: Vec<usize>, values: Vec<f64>) -> Array {
        assert_eq!(shape.iter().product::<usize>(), values.len());
        Array { shape, values }
    }

    /// An array whose numbers follow from their places.
    fn of(shape: Vec<usize>, number: impl FnMut(&[usize]) -> f64) -> Array {
        let values = places(&shape)
            .iter()
            .map(|place| &place[..])
            .map(number)
            .collect();
        Array::new(shape, values)
    }

    /// The number at a place; an axis of length one serves every index.
    fn at(&self, place: &[usize]) -> f64 {
        let skipped = place.len() - self.shape.len();
        let axes = self.shape.iter().zip(&place[skipped..]);
        let flat = axes.fold(0, |flat, (&length, &index)| {
            flat * length + if length == 1 { 0 } else { index }
        });
        self.values[flat]
    }

    fn integers(&self) -> Vec<i64> {
        self.values.iter().map(|&value| value as i64).collect()
    }
}

fn places(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |places, &length| {
        let longer =
            |place: Vec<usize>| (0..length).map(move |index| [&place[..], &[index]].concat());
        places.into_iter().flat_map(longer).collect()
    })
}

/// Runs a file's graph; gives every value by name.
pub fn run(file: &File, inputs: BTreeMap<String, Array>) -> BTreeMap<String, Array> {
    let mut values = inputs;
    values.extend(file.constants.clone());
    for node in &file.nodes {
        let inputs: Vec<_> = node.inputs.iter().map(|name| &values[name]).collect();
        let output = apply(node, &inputs);
        let before = values.insert(node.output.clone(), output);
        assert!(before.is_none(), "{} is written twice", node.output);
    }
    values
}

fn apply(node: &Node, inputs: &[&Array]) -> Array {
    let setting = |name: &str| &node.settings[name][..];
    match (&node.operator[..], inputs) {
        ("Add", [a, b]) => pointwise(a, b, |a, b| a + b),
        ("Sub", [a, b]) => pointwise(a, b, |a, b| a - b),
        ("Mul", [a, b]) => pointwise(a, b, |a, b| a * b),
        ("Div", [a, b]) => pointwise(a, b, |a, b| a / b),
        ("Relu", [x]) => Array::of(x.shape.clone(), |place| x.at(place).max(0.0)),
        ("Conv", [x, weight, bias]) => {
            conv(x, weight, bias, setting("kernel_shape"), setting("pads"))
        }
        ("Gemm", [x, weight, bias]) => {
            assert_eq!(setting("transB"), [1]);
            let shape = vec![x.shape[0], weight.shape[0]];
            Array::of(shape, |place| {
                let products =
                    (0..x.shape[1]).map(|k| x.at(&[place[0], k]) * weight.at(&[place[1], k]));
                products.sum::<f64>() + bias.at(&place[1..])
            })
        }
        ("MatMul", [a, b]) => Array::of(vec![a.shape[0], a.shape[1], b.shape[2]], |place| {
            let products = (0..a.shape[2])
                .map(|k| a.at(&[place[0], place[1], k]) * b.at(&[place[0], k, place[2]]));
            products.sum()
        }),
        ("Flatten", [x]) => {
            assert_eq!(setting("axis"), [1]);
            Array::new(
                vec![x.shape[0], x.shape[1..].iter().product()],
                x.values.clone(),
            )
        }
        ("Reshape", [x, shape]) => {
            let lengths = shape.integers().into_iter().enumerate();
            let lengths = lengths.map(|(axis, length)| {
                if length == 0 {
                    x.shape[axis]
                } else {
                    length as usize
                }
            });
            Array::new(lengths.collect(), x.values.clone())
        }
        ("Unsqueeze", [x, axes]) => {
            assert_eq!((x.shape.len(), axes.integers()), (2, vec![2, 3]));
            Array::new([&x.shape[..], &[1, 1]].concat(), x.values.clone())
        }
        ("Transpose", [x]) => {
            let order: Vec<_> = setting("perm").iter().map(|&axis| axis as usize).collect();
            let shape = order.iter().map(|&axis| x.shape[axis]).collect();
            Array::of(shape, |place| {
                let mut from = vec![0; place.len()];
                order
                    .iter()
                    .zip(place)
                    .for_each(|(&axis, &index)| from[axis] = index);
                x.at(&from)
            })
        }
        ("Concat", [a, b]) => {
            assert_eq!(
                (setting("axis"), a.shape.len(), b.shape.len()),
                (&[1][..], 2, 2)
            );
            let first = a.shape[1];
            Array::of(vec![a.shape[0], first + b.shape[1]], |place| {
                match place[1] < first {
                    true => a.at(place),
                    false => b.at(&[place[0], place[1] - first]),
                }
            })
        }
        ("ReduceSum", [x, axes]) => {
            assert_eq!(axes.integers(), [2, 3]);
            over_board(x, setting("keepdims"), |numbers| numbers.iter().sum())
        }
        ("ReduceMax", [x]) => {
            assert_eq!(setting("axes"), [2, 3]);
            over_board(x, setting("keepdims"), |numbers| {
                numbers.iter().copied().fold(f64::MIN, f64::max)
            })
        }
        ("Softmax", [x]) => {
            assert_eq!((setting("axis"), x.shape.len()), (&[1][..], 2));
            Array::of(x.shape.clone(), |place| {
                let total = (0..x.shape[1]).map(|other| x.at(&[place[0], other]).exp());
                x.at(place).exp() / total.sum::<f64>()
            })
        }
        ("Gather", [x, index]) => {
            assert_eq!((setting("axis"), index.shape.len()), (&[1][..], 0));
            let index = index.integers()[0] as usize;
            Array::of(vec![x.shape[0]], |place| x.at(&[place[0], index]))
        }
        (operator, inputs) => panic!("{operator} of {} inputs", inputs.len()),
    }
}

fn pointwise(a: &Array, b: &Array, number: impl Fn(f64, f64) -> f64) -> Array {
    let axes = a.shape.len().max(b.shape.len());
    let length = |of: &Array, axis: usize| {
        let skipped = axes - of.shape.len();
        if axis < skipped {
            1
        } else {
            of.shape[axis - skipped]
        }
    };
    let shape = (0..axes).map(|axis| {
        let (a, b) = (length(a, axis), length(b, axis));
        assert!(a == b || a == 1 || b == 1, "{a} beside {b}");
        a.max(b)
    });
    Array::of(shape.collect(), |place| number(a.at(place), b.at(place)))
}

fn conv(x: &Array, weight: &Array, bias: &Array, kernel: &[i64], pads: &[i64]) -> Array {
    let [batch, from, rows, columns] = x.shape[..] else {
        panic!("four axes")
    };
    let side = kernel[0] as usize;
    assert_eq!(weight.shape, [bias.shape[0], from, side, side]);
    assert_eq!(
        (kernel.len(), pads),
        (2, &[(side / 2) as i64; 4][..]),
        "the board keeps its size"
    );
    Array::of(vec![batch, bias.shape[0], rows, columns], |place| {
        let mut sum = bias.at(&place[1..2]);
        for tap in places(&[from, side, side]) {
            let row = (place[2] + tap[1]).wrapping_sub(side / 2);
            let column = (place[3] + tap[2]).wrapping_sub(side / 2);
            if row < rows && column < columns {
                sum += weight.at(&[place[1], tap[0], tap[1], tap[2]])
                    * x.at(&[place[0], tap[0], row, column]);
            }
        }
        sum
    })
}

fn over_board(x: &Array, keep: &[i64], number: impl Fn(&[f64]) -> f64) -> Array {
    assert_eq!((keep, x.shape.len()), (&[0][..], 4));
    let boards = x.values.chunks_exact(x.shape[2] * x.shape[3]);
    Array::new(x.shape[..2].to_vec(), boards.map(number).collect())
}
