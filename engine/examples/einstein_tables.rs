//! Time and size of the exact tables of EinStein on one core: `einstein_tables [CUBES]`.

use std::time::Instant;

use engine::games::einstein::exact::Build;

fn main() {
    let most = std::env::args().nth(1).and_then(|text| text.parse().ok());
    for stones in 2..=most.unwrap_or(4) {
        let begun = Instant::now();
        let mut build = match Build::new(stones) {
            Ok(build) => build,
            Err(error) => return eprintln!("{error}"),
        };
        build.run();
        let bytes: usize = build.pieces().map(|piece| piece.len()).sum();
        let (stored, entries) = build.progress();
        println!(
            "{stones} cubes: {entries} entries ({stored} stored), {bytes} bytes, {:.2} s",
            begun.elapsed().as_secs_f64()
        );
    }
}
