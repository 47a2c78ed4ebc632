//! Times single convolutions on one thread, two images at a time as the networks do:
//!
//! ```text
//! time_models layers REPEATS KERNEL,STRIDE,IN,OUT,SIZE_PX,GROUPS ...
//! ```
//!
//! Prints what the processor's fused multiply-adds can do, in operations per second, and the best wall time of each
//! layer for two images in seconds. Layers with groups are depthwise.

use neurogauge_models::speed::{Layer, LayerKind, MapLayer, peak};
use std::error::Error;
use std::time::Instant;

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (repeats, layers) = arguments.split_first().ok_or(USAGE)?;
    let repeats: usize = repeats.parse()?;
    println!("{:.0}", peak());
    for layer in layers {
        let numbers = layer.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
        let &[kernel, stride, n_in, n_out, size_px, groups] = numbers.as_slice() else {
            return Err(USAGE.into());
        };
        let of = MapLayer {
            kernel,
            stride,
            n_in,
            n_out,
            size_px,
            n_images: 2,
        };
        let layer = Layer::new(if groups > 1 {
            LayerKind::Depthwise(of)
        } else {
            LayerKind::Convolution(of)
        })?;
        let mut best = f64::INFINITY;
        for _ in 0..repeats {
            let start = Instant::now();
            std::hint::black_box(layer.first_value()?);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{best:.6}");
    }
    Ok(())
}

const USAGE: &str = "usage: time_models layers REPEATS KERNEL,STRIDE,IN,OUT,SIZE_PX,GROUPS ...";
