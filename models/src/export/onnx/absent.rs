//! In place of a runtime for ONNX files, in builds without one.

use engine::Shape;

use super::RuntimeError;
use crate::forward::Buffers;

/// The runtime's name and version.
pub const NAME: Option<&str> = None;

/// No graph can be made ready.
#[derive(Debug)]
pub enum Runtime {}

impl Runtime {
    /// Makes the graph of a file ready for boards of these sizes.
    ///
    /// # Errors
    /// Always.
    pub fn new(_bytes: &[u8], _shape: Shape) -> Result<Runtime, RuntimeError> {
        Err(RuntimeError::Absent)
    }

    /// Evaluates planes `[batch, planes, rows, columns]` into the buffers.
    pub fn run(&self, _planes: &[f32], _buffers: &mut Buffers) {
        match *self {}
    }
}
