//! The choice of tile size and of the number of boards worked on at once.
//!
//! Larger tiles need fewer multiplications but more transformed weights, (m + 2)² matrices, which
//! stream from the shared cache once a chunk of boards; more boards a chunk spread that cost, until
//! the transformed tiles themselves leave the second-level cache. The model weighs these for a
//! typical batch named when the network is packed; the batch that is run does not change the choice,
//! so a position's bits do not depend on it.

/// What an arithmetic costs and which tiles it has transforms for.
#[derive(Debug)]
pub(crate) struct Arithmetic {
    /// Largest side of a tile.
    most_side: usize,
    /// Multiply-adds a cycle of one core.
    multiplies_per_cycle: f64,
    /// Bytes of a weight and of a transformed input.
    input_bytes: usize,
    /// Bytes of a product.
    output_bytes: usize,
}

/// 32-bit floats: two units of 8 lanes.
pub(crate) const FLOATS: Arithmetic = Arithmetic {
    most_side: 6,
    multiplies_per_cycle: 16.0,
    input_bytes: 4,
    output_bytes: 4,
};

/// 16-bit words whose products are summed in 32 bits ([`crate::int8`]): 1.6 times the rate of floats,
/// as measured on 96 × 96 × 96.
pub(crate) const WORDS: Arithmetic = Arithmetic {
    most_side: 4,
    multiplies_per_cycle: 26.0,
    input_bytes: 2,
    output_bytes: 4,
};

/// Bytes a cycle from the shared cache: with [`CYCLES_PER_TILE_BYTE`], set so that
/// the model ranks tile sizes as measured on 5×5 and 6×6 boards with 32 to 64 channels, batches of 1 to
/// 32. Larger nets were too noisy to rank; on 8×8 with 96 channels, single boards may do better with
/// smaller tiles than it chooses.
const BYTES_PER_CYCLE: f64 = 10.0;

/// Cycles to transform one byte of a tile, either way.
const CYCLES_PER_TILE_BYTE: f64 = 0.1875;

/// Bytes of transformed tiles that stay in a second-level cache of 512 KiB, weights passing through.
const NEAR_BYTES: usize = 448 << 10;

/// Most boards in a chunk; more spread the weights' cost no further to speak of.
const MOST_BOARDS: usize = 24;

/// How a 3×3 convolution is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Outputs along a tile's side: the m of `F(m, 3)`.
    pub(crate) side: usize,
    /// Boards to work on at once.
    pub(crate) boards: usize,
}

impl Plan {
    /// The cheapest plan for batches of `batch` boards of `rows` by `columns`, with `input` and
    /// `output` channels.
    pub(crate) fn cheapest(
        arithmetic: &Arithmetic,
        batch: usize,
        [rows, columns]: [usize; 2],
        [input, output]: [usize; 2],
    ) -> Self {
        let cost = |plan: &Self| {
            let points = (plan.side + 2) * (plan.side + 2);
            let tiles = rows.div_ceil(plan.side) * columns.div_ceil(plan.side);
            let weight_bytes = points * input * output * arithmetic.input_bytes;
            let tile_bytes = tiles
                * points
                * (input * arithmetic.input_bytes + output * arithmetic.output_bytes);
            // Beyond the near cache, tiles are written and read back from the shared one.
            let far = if plan.boards * tile_bytes > NEAR_BYTES {
                2 * tile_bytes
            } else {
                0
            };
            let traffic = weight_bytes as f64 / plan.boards as f64 + far as f64;
            (tiles * points * input * output) as f64 / arithmetic.multiplies_per_cycle
                + tile_bytes as f64 * CYCLES_PER_TILE_BYTE
                + traffic / BYTES_PER_CYCLE
        };
        (2..=arithmetic.most_side)
            .flat_map(|side| {
                (1..=batch.clamp(1, MOST_BOARDS)).map(move |boards| Self { side, boards })
            })
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(Self { side: 2, boards: 1 })
    }
}
