//! Times GIT with synthetic weights, as a peer is timed in `bench/captions.py`:
//!
//! ```text
//! time_models captioner CONFIG_JSON BATCH REPEATS MAX_NEW_TOKENS N_BEAMS [ARITHMETIC]
//! ```
//!
//! Prints the best wall time of a batch and its processor time in seconds (the latter on Linux), then the ids of the
//! captions as JSON. RAYON_NUM_THREADS sets the threads.

use super::processor_seconds;
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{Arithmetic, CaptionOptions, ImagePreset, SyntheticCaptioner};
use std::error::Error;
use std::time::Instant;

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [config, batch, repeats, max_new_tokens, n_beams, rest @ ..] = arguments else {
        return Err("usage: time_models captioner CONFIG_JSON BATCH REPEATS MAX_NEW_TOKENS N_BEAMS [ARITHMETIC]".into());
    };
    let arithmetic: Option<Arithmetic> = rest.first().map(|text| text.parse()).transpose()?;
    let options = CaptionOptions {
        n_beams: n_beams.parse()?,
        max_new_tokens: max_new_tokens.parse()?,
    };
    let steps = ImagePreset::Published.preprocessing("git_large_coco", None)?;
    let images: Vec<Image<f32>> = (0..batch.parse::<u64>()?)
        .map(|index| {
            let noise = Synthetic::new(&format!("noise{index}"), 1);
            let values = (0..224 * 224 * 3).map(|i| {
                let channel = i as usize % 3;
                (noise.uniform(i) - steps.mean[channel]) / steps.std[channel]
            });
            Ok(Image::new(224, 224, values.collect())?)
        })
        .collect::<Result<_, Box<dyn Error>>>()?;
    let git = SyntheticCaptioner::git(config, arithmetic.unwrap_or_default())?;
    let mut best = (f64::INFINITY, f64::INFINITY);
    let mut ids = Vec::new();
    for _ in 0..repeats.parse::<usize>()? {
        let (start, cpu) = (Instant::now(), processor_seconds());
        ids = git.ids(&images, &options)?;
        best.0 = best.0.min(start.elapsed().as_secs_f64());
        best.1 = best.1.min(processor_seconds() - cpu);
    }
    println!("{:.4} {:.2}", best.0, best.1);
    println!("{ids:?}");
    Ok(())
}
