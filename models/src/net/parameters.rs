//! The parameters of a network one by one, under plain names and in the layouts of other programs.

use std::collections::BTreeMap;

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Tensor, TensorData};

use super::Net;

/// One weight or bias.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// `[out, in, 3, 3]` or `[out, in, 1, 1]` for a convolution, `[out, in]` for a linear layer, `[out]`
    /// for a bias.
    pub shape: Vec<usize>,
    /// The values, the last axis running fastest.
    pub values: Vec<f32>,
}

/// Parameters by name, such as `blocks.0.first.weight`.
pub type Parameters = BTreeMap<String, Parameter>;

/// The values of every parameter in burn's layout, in the order of the network's definition.
pub fn flat_parameters(net: &Net) -> Vec<Vec<f32>> {
    struct Collect(Vec<Vec<f32>>);
    impl ModuleVisitor for Collect {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            self.0.push(values(param));
        }
    }
    let mut collect = Collect(Vec::new());
    net.visit(&mut collect);
    collect.0
}

/// Every parameter by its name.
pub fn parameters(net: &Net) -> Parameters {
    #[derive(Default)]
    struct Collect {
        place: Place,
        found: Parameters,
    }
    impl ModuleVisitor for Collect {
        fn enter_module(&mut self, name: &str, container: &str) {
            self.place.enter(name, container);
        }
        fn exit_module(&mut self, _: &str, _: &str) {
            self.place.leave();
        }
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            let (shape, values) = (param.val().dims().to_vec(), values(param));
            let parameter = Parameter { shape, values }.exchanged();
            self.found.insert(self.place.name(), parameter);
        }
    }
    let mut collect = Collect::default();
    net.visit(&mut collect);
    collect.found
}

/// The network with these values in place of its own.
///
/// # Errors
/// Names the parameter that is missing, too many, or of another shape.
pub fn with_parameters(net: Net, given: Parameters) -> Result<Net, String> {
    struct Replace {
        place: Place,
        given: Parameters,
        fault: Option<String>,
    }
    impl ModuleMapper for Replace {
        fn enter_module(&mut self, name: &str, container: &str) {
            self.place.enter(name, container);
        }
        fn exit_module(&mut self, _: &str, _: &str) {
            self.place.leave();
        }
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            let name = self.place.name();
            let Some(parameter) = self.given.remove(&name) else {
                self.fault.get_or_insert(format!("{name} is missing"));
                return param;
            };
            let Parameter { shape, values } = parameter.exchanged();
            if shape != param.val().dims() {
                let fault = format!("{name} has another shape");
                self.fault.get_or_insert(fault);
                return param;
            }
            param.map(|old| Tensor::from_data(TensorData::new(values, shape), &old.device()))
        }
    }
    let mut replace = Replace {
        place: Place::default(),
        given,
        fault: None,
    };
    let net = net.map(&mut replace);
    let unknown = replace.given.keys().next();
    let unknown = unknown.map(|name| format!("{name} is no parameter of this network"));
    match replace.fault.or(unknown) {
        None => Ok(net),
        Some(fault) => Err(fault),
    }
}

/// Where a visit of the network is.
#[derive(Default)]
struct Place(Vec<Option<String>>);

impl Place {
    fn enter(&mut self, name: &str, container: &str) {
        // The form of a head is known from the game: its variant is no part of a plain name.
        let shown = !container.starts_with("Enum:");
        self.0.push(shown.then(|| name.to_string()));
    }

    fn leave(&mut self) {
        self.0.pop();
    }

    fn name(&self) -> String {
        let parts: Vec<_> = self.0.iter().flatten().map(String::as_str).collect();
        parts.join(".")
    }
}

impl Parameter {
    /// From burn's layout to that of other programs, or back: burn keeps the weights of a linear layer,
    /// the only ones with two axes, as `[in, out]`.
    fn exchanged(self) -> Parameter {
        let [rows, columns] = self.shape[..] else {
            return self;
        };
        let places =
            (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
        Parameter {
            shape: vec![columns, rows],
            values: places.map(|place| self.values[place]).collect(),
        }
    }
}

fn values<const D: usize>(param: &Param<Tensor<D>>) -> Vec<f32> {
    let values = param.val().into_data().try_to_vec();
    values.expect("parameters are 32-bit floats")
}
