//! Runs ONNX files with tract, on the processor.

use std::sync::Arc;

use engine::Shape;
use tract_onnx::prelude::*;

use super::RuntimeError;
use crate::forward::Buffers;

/// The runtime's name and version.
pub const NAME: Option<&str> = Some("tract-onnx 0.23");

/// A graph made ready for boards of one size; shared by all threads.
#[derive(Debug)]
pub struct Runtime {
    plan: Arc<TypedRunnableModel>,
    shape: Shape,
}

impl Runtime {
    /// Makes the graph of a file ready for boards of these sizes.
    ///
    /// # Errors
    /// What the runtime says of a graph that it cannot run, or that gives other outputs than a net's.
    pub fn new(bytes: &[u8], shape: Shape) -> Result<Runtime, RuntimeError> {
        let refused = |error: TractError| RuntimeError::Refused(format!("{error:#}"));
        let plan = plan(bytes, shape).map_err(refused)?;
        let runtime = Runtime { plan, shape };
        // What runs once, runs with other numbers too.
        let planes = vec![0.0; 2 * shape.input()];
        let [policy, outcomes, value] = runtime.outputs(&planes).map_err(refused)?;
        let lengths = [policy.len(), outcomes.len() % 2, value.len()];
        if lengths != [2 * shape.policy, 0, 2] {
            let reason = "its outputs are not those of a net of this game";
            return Err(RuntimeError::Refused(reason.to_string()));
        }
        Ok(runtime)
    }

    /// Evaluates planes `[batch, planes, rows, columns]` into the buffers.
    pub fn run(&self, planes: &[f32], buffers: &mut Buffers) {
        let outputs = self.outputs(planes);
        let outputs = outputs.expect("a graph that has run once runs again");
        [buffers.policy, buffers.outcomes, buffers.value] = outputs;
    }

    /// Policy logits, outcomes' logits and values.
    fn outputs(&self, planes: &[f32]) -> TractResult<[Vec<f32>; 3]> {
        let Shape {
            planes: count,
            rows,
            columns,
            head,
            ..
        } = self.shape;
        let batch = planes.len() / self.shape.input();
        let mut inputs = tvec![Tensor::from_shape(&[batch, count, rows, columns], planes)?.into()];
        if head.serves_every_size() {
            let mask = vec![1.0_f32; batch * rows * columns];
            inputs.push(Tensor::from_shape(&[batch, 1, rows, columns], &mask)?.into());
        }
        let outputs = self.plan.run(inputs)?;
        let numbers = |place: usize| -> TractResult<Vec<f32>> {
            Ok(outputs[place]
                .try_as_plain_ram()?
                .as_slice::<f32>()?
                .to_vec())
        };
        Ok([numbers(0)?, numbers(1)?, numbers(2)?])
    }
}

/// A plan for any number of boards of one size.
fn plan(bytes: &[u8], shape: Shape) -> TractResult<Arc<TypedRunnableModel>> {
    let mut model = tract_onnx::onnx().model_for_read(&mut &*bytes)?;
    let batch = model.symbols.sym("batch");
    let depths = match shape.head.serves_every_size() {
        true => vec![shape.planes, 1],
        false => vec![shape.planes],
    };
    for (input, depth) in depths.into_iter().enumerate() {
        let axes = [depth, shape.rows, shape.columns].map(|length| length.to_dim());
        let axes: TVec<TDim> = [batch.to_dim()].into_iter().chain(axes).collect();
        model.set_input_fact(input, InferenceFact::dt_shape(f32::datum_type(), axes))?;
    }
    // The lengths that the file states by name are numbers now.
    for output in 0..model.outputs.len() {
        model.set_output_fact(output, InferenceFact::default())?;
    }
    model.into_optimized()?.into_runnable()
}
