//! Activations of the trunk, in the layout that convolves fastest on boards of their size.

use burn::nn::conv::Conv2d;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;

use super::winograd::{LARGEST_SIDE, Transforms};

/// A batch of boards.
#[derive(Clone, Debug)]
pub(super) enum Boards {
    /// Small ones: `[cells, batch, channels]`.
    Products(Tensor<3>, Transforms),
    /// Others: `[batch, channels, rows, columns]`.
    Images(Tensor<4>),
}

impl Boards {
    /// Planes `[batch, planes, rows, columns]`.
    pub(super) fn new(planes: Tensor<4>) -> Boards {
        let [batch, count, rows, columns] = planes.dims();
        if rows.max(columns) > LARGEST_SIDE {
            return Boards::Images(planes);
        }
        let transforms = Transforms::new(rows, columns, &planes.device());
        let cells_last = planes.reshape([batch, count, rows * columns]);
        Boards::Products(cells_last.permute([2, 0, 1]), transforms)
    }

    /// The 3×3 convolution with its bias.
    pub(super) fn convolve(self, conv: &Conv2d) -> Boards {
        match self {
            Boards::Products(x, transforms) => {
                let y = transforms.convolve(x, conv.weight.val());
                Boards::Products(biased(y, conv), transforms)
            }
            Boards::Images(x) => Boards::Images(conv.forward(x)),
        }
    }

    /// The positive part.
    pub(super) fn relu(self) -> Boards {
        match self {
            Boards::Products(x, transforms) => Boards::Products(relu(x), transforms),
            Boards::Images(x) => Boards::Images(relu(x)),
        }
    }

    /// The sum of two batches of the same layout.
    pub(super) fn add(self, other: Boards) -> Boards {
        match (self, other) {
            (Boards::Products(x, transforms), Boards::Products(y, _)) => {
                Boards::Products(x + y, transforms)
            }
            (Boards::Images(x), Boards::Images(y)) => Boards::Images(x + y),
            _ => unreachable!("boards of one size have one layout"),
        }
    }

    /// Adds `[batch, channels]` at every point.
    pub(super) fn add_everywhere(self, told: Tensor<2>) -> Boards {
        let [batch, channels] = told.dims();
        match self {
            Boards::Products(x, transforms) => {
                Boards::Products(x + told.reshape([1, batch, channels]), transforms)
            }
            Boards::Images(x) => Boards::Images(x + told.reshape([batch, channels, 1, 1])),
        }
    }

    /// Mean and maximum over the points: `[batch, 2 * channels]`.
    pub(super) fn pooled(&self) -> Tensor<2> {
        pooled(self.clone().features())
    }

    /// The activations as `[cells, batch, channels]`.
    pub(super) fn features(self) -> Tensor<3> {
        match self {
            Boards::Products(x, _) => x,
            Boards::Images(x) => {
                let [batch, channels, rows, columns] = x.dims();
                x.reshape([batch, channels, rows * columns])
                    .permute([2, 0, 1])
            }
        }
    }
}

/// Mean and maximum of `[cells, batch, channels]` over the points: `[batch, 2 * channels]`.
pub(super) fn pooled(x: Tensor<3>) -> Tensor<2> {
    let [_, batch, channels] = x.dims();
    let flat = |x: Tensor<3>| x.reshape([batch, channels]);
    Tensor::cat(vec![flat(x.clone().mean_dim(0)), flat(x.max_dim(0))], 1)
}

/// A 1×1 convolution of `[cells, batch, in]`: `[cells, batch, out]`.
pub(super) fn pointwise(x: Tensor<3>, conv: &Conv2d) -> Tensor<3> {
    let [cells, batch, from] = x.dims();
    let weight = conv.weight.val();
    let to = weight.dims()[0];
    let weight = weight.reshape([to, from]).transpose();
    let y = x.reshape([cells * batch, from]).matmul(weight);
    biased(y.reshape([cells, batch, to]), conv)
}

fn biased(x: Tensor<3>, conv: &Conv2d) -> Tensor<3> {
    let Some(bias) = &conv.bias else { return x };
    let channels = x.dims()[2];
    x + bias.val().reshape([1, 1, channels])
}
