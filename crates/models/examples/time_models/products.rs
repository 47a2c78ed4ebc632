//! Times products of matrices on one thread, as shares of what the processor's fused multiply-adds can do:
//!
//! ```text
//! time_models products [SECONDS]
//! ```
//!
//! Each product is repeated for SECONDS (default 2).

use neurogauge_models::speed::{Product, Weights, instructions, peak};
use std::error::Error;
use std::time::Instant;

/// Rows, steps and columns: a large square one, those of ViT-B/16's image and of ResNet-50's maps, and a head of
/// attention.
const SHAPES: [(usize, usize, usize); 11] = [
    (2048, 2048, 2048),
    (197, 768, 768),
    (197, 768, 3072),
    (197, 3072, 768),
    (3136, 64, 256),
    (784, 512, 128),
    (196, 1024, 256),
    (49, 512, 2048),
    (197, 64, 197),
    (1, 4096, 4096),
    (8, 4096, 4096),
];

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let seconds = arguments.first().map_or(Ok(2.0), |text| text.parse::<f64>())?;
    let peak = peak();
    println!("{}: {:.1} GFLOP/s in registers", instructions(), peak / 1e9);
    for shape in SHAPES {
        for weights in [Weights::F32, Weights::Bf16, Weights::F16] {
            let mut product = Product::new(shape, weights);
            let (start, mut best) = (Instant::now(), product.seconds());
            while start.elapsed().as_secs_f64() < seconds {
                best = product.seconds();
            }
            let speed = product.operations() / best;
            let share = if peak > 0.0 { speed / peak } else { f64::NAN };
            let (n_rows, n_steps, n_columns) = shape;
            println!("{n_rows} x {n_steps} x {n_columns} {weights:?}: {:.1} GFLOP/s, {share:.2}", speed / 1e9);
        }
    }
    Ok(())
}
