//! Times a network with synthetic weights, as a peer is timed in `bench/`:
//!
//! ```text
//! time_models image_model MODEL LAYER SIZE_PX [BATCH [REPEATS [DEVICE [FRAMES]]]]
//! ```
//!
//! Prints the best wall time of a batch in seconds. RAYON_NUM_THREADS sets the threads.

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{LayerRequest, synthetic_model_on};
use std::error::Error;
use std::time::Instant;

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [id, layer, size, rest @ ..] = arguments else {
        return Err("usage: time_models image_model MODEL LAYER SIZE_PX [BATCH [REPEATS [DEVICE [FRAMES]]]]".into());
    };
    let size_px: usize = size.parse()?;
    let device = rest.get(2).map(|device| device.parse()).transpose()?;
    // Of a clip, one below the other.
    let n_frames: usize = rest.get(3).map_or(Ok(1), |frames| frames.parse())?;
    let mut rest = rest.iter().map(|number| number.parse::<usize>());
    let batch = rest.next().transpose()?.unwrap_or(8);
    let repeats = rest.next().transpose()?.unwrap_or(5);

    let noise = Synthetic::new("noise", 1);
    let height_px = n_frames * size_px;
    let n = (size_px * height_px * 3) as u64;
    let image = Image::new(size_px, height_px, (0..n).map(|i| noise.uniform(i)).collect())?;
    let images = vec![image; batch];
    let requests = [LayerRequest::whole(layer)];
    let synthetic = synthetic_model_on(id, 0, &[], device.unwrap_or_default())?;
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let start = Instant::now();
        let features = synthetic.model.features(&images, &requests)?;
        best = best.min(start.elapsed().as_secs_f64());
        std::hint::black_box(features);
    }
    println!("{best:.4}");
    Ok(())
}
