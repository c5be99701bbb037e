//! Positions a second of the packed forward pass, beside a matrix multiply in the same process.
//!
//! `cargo bench -p inference` prints a table; `-- --json` the same as JSON, one object a line;
//! `-- --describe` the networks' sizes; `--net NAME`, `--batch N` and `--seconds S` narrow it down.
//! `--int8` runs the residual blocks on whole numbers. `--threads N` runs so many workers side by side,
//! each with batches of its own: their rates are added, all by the clock.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

use inference::{Block, Conv, Dense, Network, PolicyHead, Target, ValueHead, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// A network to measure.
struct Net {
    name: &'static str,
    planes: usize,
    side: usize,
    blocks: usize,
    channels: usize,
    policy_planes: usize,
    policy: usize,
}

const VALUE_PLANES: usize = 4;
const HIDDEN: usize = 64;
const VALUES: usize = 3;
const BATCHES: [usize; 4] = [1, 8, 32, 128];

const fn net(
    name: &'static str,
    [planes, side, blocks, channels]: [usize; 4],
    [policy_planes, policy]: [usize; 2],
) -> Net {
    Net {
        name,
        planes,
        side,
        blocks,
        channels,
        policy_planes,
        policy,
    }
}

const NETS: [Net; 6] = [
    net("5x5-3x48", [17, 5, 3, 48], [8, 24]),
    net("5x5-4x32", [17, 5, 4, 32], [8, 24]),
    net("5x5-4x64", [17, 5, 4, 64], [8, 24]),
    net("6x6-4x64", [8, 6, 4, 64], [8, 1296]),
    net("8x8-6x96", [20, 8, 6, 96], [8, 64]),
    net("14x14-6x96", [20, 14, 6, 96], [8, 196]),
];

impl Net {
    fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Floating-point operations of a position, convolutions counted with all nine taps.
    fn operations(&self) -> usize {
        let Net {
            planes,
            blocks,
            channels: k,
            policy_planes,
            policy,
            ..
        } = *self;
        let taps = 9 * planes * k + blocks * 2 * 9 * k * k + k * (policy_planes + VALUE_PLANES);
        let linear = policy_planes * policy + VALUE_PLANES * HIDDEN;
        2 * (self.cells() * (taps + linear) + HIDDEN * VALUES)
    }

    fn describe(&self) -> Value {
        json!({
            "net": self.name, "planes": self.planes, "side": self.side, "blocks": self.blocks,
            "channels": self.channels, "policy_planes": self.policy_planes, "policy": self.policy,
            "value_planes": VALUE_PLANES, "hidden": HIDDEN, "values": VALUES,
            "operations": self.operations(),
        })
    }

    fn build(&self, batch: usize, int8: bool) -> Network {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut layer = |inputs: usize, outputs: usize| {
            let reach = (6.0 / inputs as f32).sqrt();
            let weight = (0..inputs * outputs).map(|_| rng.random_range(-reach..reach));
            (weight.collect::<Vec<_>>(), vec![0.1; outputs])
        };
        let k = self.channels;
        let stem = layer(9 * self.planes, k);
        let blocks: Vec<_> = (0..self.blocks)
            .map(|_| [layer(9 * k, k), layer(9 * k, k)])
            .collect();
        let policy = [
            layer(k, self.policy_planes),
            layer(self.policy_planes * self.cells(), self.policy),
        ];
        let value = [
            layer(k, VALUE_PLANES),
            layer(VALUE_PLANES * self.cells(), HIDDEN),
            layer(HIDDEN, VALUES),
        ];
        let weights = Weights {
            planes: self.planes,
            rows: self.side,
            columns: self.side,
            stem: conv(&stem),
            blocks: blocks
                .iter()
                .map(|[first, second]| Block {
                    first: conv(first),
                    pooled: None,
                    second: conv(second),
                })
                .collect(),
            policy: PolicyHead::Dense {
                conv: conv(&policy[0]),
                linear: dense(&policy[1]),
            },
            value: ValueHead {
                conv: conv(&value[0]),
                pooled: false,
                hidden: dense(&value[1]),
                output: dense(&value[2]),
            },
        };
        let target = Target {
            batch,
            ..Target::default()
        };
        let network = Network::for_target(target, &weights);
        let network = network.expect("the benchmark's weights fit together");
        if !int8 {
            return network;
        }
        let largest = network.largest_activations(&positions(&network, 8));
        Network::quantised(target, &weights, &largest).expect("the activations are its own")
    }
}

/// Random positions.
fn positions(network: &Network, count: usize) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let length = count * network.position_length();
    (0..length).map(|_| rng.random_range(0.0..1.0)).collect()
}

fn conv((weight, bias): &(Vec<f32>, Vec<f32>)) -> Conv<'_> {
    Conv { weight, bias }
}

fn dense((weight, bias): &(Vec<f32>, Vec<f32>)) -> Dense<'_> {
    Dense { weight, bias }
}

/// What the command line asks for.
struct Options {
    json: bool,
    describe: bool,
    net: Option<String>,
    batch: Option<usize>,
    seconds: f64,
    int8: bool,
    threads: usize,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            json: false,
            describe: false,
            net: None,
            batch: None,
            seconds: 1.0,
            int8: false,
            threads: 1,
        };
        while let Some(word) = words.next() {
            let mut next = || {
                words
                    .next()
                    .unwrap_or_else(|| panic!("{word} needs a value"))
            };
            match word.as_str() {
                "--bench" => {}
                "--json" => options.json = true,
                "--describe" => options.describe = true,
                "--net" => options.net = Some(next()),
                "--batch" => options.batch = Some(next().parse().expect("--batch takes a number")),
                "--seconds" => {
                    options.seconds = next().parse().expect("--seconds takes a number");
                }
                "--int8" => options.int8 = true,
                "--threads" => {
                    options.threads = next().parse().expect("--threads takes a number");
                }
                other => panic!("unknown option {other}"),
            }
        }
        options
    }
}

/// Seconds this thread has been running, where the system tells (Linux), else of the clock: time
/// on a busy machine in which other work ran does not count.
fn running_seconds(start: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(
            || start.elapsed().as_secs_f64(),
            |nanoseconds| nanoseconds / 1e9,
        )
}

/// Seconds of one call: the best of slices long enough for the system's coarse count.
fn seconds_of(mut call: impl FnMut(), limit: f64) -> f64 {
    const SLICE: f64 = 0.1;
    let start = Instant::now();
    call();
    let mut best = f64::INFINITY;
    let (mut calls, mut slice) = (0, running_seconds(start));
    while start.elapsed().as_secs_f64() < limit || best == f64::INFINITY {
        let before = Instant::now();
        while before.elapsed().as_secs_f64() < SLICE / 10.0 {
            call();
            calls += 1;
        }
        let passed = running_seconds(start) - slice;
        if passed >= SLICE {
            best = best.min(passed / f64::from(calls));
            (calls, slice) = (0, slice + passed);
        }
    }
    best
}

/// GFLOP/s of a 1024² matrix multiply by the `matrixmultiply` crate.
#[allow(unsafe_code)]
fn multiply_peak(limit: f64) -> f64 {
    const N: usize = 1024;
    let (a, b) = (vec![1.0_f32; N * N], vec![0.5_f32; N * N]);
    let mut c = vec![0.0_f32; N * N];
    let stride = N as isize;
    let multiply = || {
        let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        // SAFETY: the three are N × N matrices with rows N apart, and c is borrowed alone.
        unsafe {
            matrixmultiply::sgemm(N, N, N, 1.0, a, stride, 1, b, stride, 1, 0.0, c, stride, 1);
        }
    };
    let seconds = seconds_of(multiply, limit);
    black_box(&c);
    2.0 * (N * N * N) as f64 / seconds / 1e9
}

/// One line of the table.
fn measure(net: &Net, network: &Network, batch: usize, options: &Options) -> Value {
    let rate = if options.threads == 1 {
        batch as f64 / seconds_of(worker(network, batch), options.seconds)
    } else {
        side_by_side(network, batch, options)
    };
    json!({
        "net": net.name, "batch": batch, "positions_per_s": rate,
        "gflops": rate * net.operations() as f64 / 1e9,
    })
}

/// Positions a second of several workers together: the sum of their rates over whole calls.
fn side_by_side(network: &Network, batch: usize, options: &Options) -> f64 {
    let start = Barrier::new(options.threads);
    let rate = || {
        let mut call = worker(network, batch);
        call();
        start.wait();
        let (began, mut calls) = (Instant::now(), 0);
        loop {
            call();
            calls += 1;
            let passed = began.elapsed().as_secs_f64();
            if passed >= options.seconds {
                return (calls * batch) as f64 / passed;
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.threads).map(|_| scope.spawn(rate)).collect();
        let rates = workers.into_iter().map(|worker| worker.join());
        rates.map(|rate| rate.expect("a worker measures")).sum()
    })
}

/// Evaluates one batch, again and again, in buffers of its own.
fn worker(network: &Network, batch: usize) -> impl FnMut() + '_ {
    let mut workspace = network.workspace(batch);
    let input = positions(network, batch);
    let mut policy = vec![0.0; batch * network.policy_length()];
    let mut value = vec![0.0; batch * network.value_length()];
    move || {
        network.run(&mut workspace, black_box(&input), &mut policy, &mut value);
        black_box((&policy, &value));
    }
}

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    let nets = NETS
        .iter()
        .filter(|net| options.net.as_deref().is_none_or(|name| name == net.name));
    if options.describe {
        nets.for_each(|net| println!("{}", net.describe()));
        return;
    }
    let peak = multiply_peak(options.seconds);
    if options.json {
        println!("{}", json!({ "multiply_gflops": peak }));
    } else {
        println!("matrix multiply 1024²: {peak:.1} GFLOP/s");
        println!(
            "{:<12} {:>6} {:>12} {:>9} {:>6}",
            "net", "batch", "positions/s", "GFLOP/s", "× peak"
        );
    }
    for net in nets {
        for batch in BATCHES
            .into_iter()
            .filter(|&b| options.batch.is_none_or(|only| only == b))
        {
            let line = measure(net, &net.build(batch, options.int8), batch, &options);
            if options.json {
                println!("{line}");
                continue;
            }
            let number = |key: &str| line[key].as_f64().unwrap_or(f64::NAN);
            let (rate, gflops) = (number("positions_per_s"), number("gflops"));
            let ratio = gflops / peak;
            println!(
                "{:<12} {batch:>6} {rate:>12.0} {gflops:>9.1} {ratio:>6.2}",
                net.name
            );
        }
    }
}
