//! Times SAM 2 with synthetic weights, as a peer is timed in `bench/masks_from_pixels.py`:
//!
//! ```text
//! time_models segmenter MODEL N_BOXES REPEATS [ARITHMETIC]
//! ```
//!
//! Prints the best wall time of the image encoder and its processor time in seconds (the latter on Linux), then the
//! wall time of an image with so many boxes, then the mean size of the map's values. Every image is of other noise.
//! RAYON_NUM_THREADS sets the threads.

use super::processor_seconds;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{BoxXyxy, Image};
use neurogauge_models::segmentation::{MaskPrompt, SegmenterInput};
use neurogauge_models::{Arithmetic, SyntheticSam2};
use std::error::Error;
use std::time::Instant;

const SIDE_PX: usize = 1024;
/// As in the goldens, so that the deep networks do not explode.
const DAMPED: [&str; 2] = ["attn.proj.weight", "mlp.proj_out.weight"];

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [model, n_boxes, repeats, rest @ ..] = arguments else {
        return Err("usage: time_models segmenter MODEL N_BOXES REPEATS [ARITHMETIC]".into());
    };
    let damped = DAMPED.map(|name| (name.to_owned(), 0.25));
    let arithmetic: Option<Arithmetic> = rest.first().map(|text| text.parse()).transpose()?;
    let segmenter = SyntheticSam2::published(model, &damped, arithmetic.unwrap_or_default())?;
    let boxes: Vec<MaskPrompt> = (0..n_boxes.parse::<usize>()?)
        .map(|index| {
            let first = 10.0 * index as f64;
            MaskPrompt::Box(BoxXyxy::of([first, first, first + 200.0, first + 150.0]))
        })
        .collect();
    let mut best = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let mut size = 0.0;
    for repeat in 0..repeats.parse::<u64>()? {
        let noise = Synthetic::new("noise", 1 + repeat);
        let values = (0..(SIDE_PX * SIDE_PX * 3) as u64).map(|i| 4.0 * noise.uniform(i) - 2.0).collect();
        let image = Image::new(SIDE_PX, SIDE_PX, values)?;
        let (start, cpu) = (Instant::now(), processor_seconds());
        let map = segmenter.embed(&image)?;
        best.0 = best.0.min(start.elapsed().as_secs_f64());
        best.1 = best.1.min(processor_seconds() - cpu);
        size = map.iter().map(|&value| f64::from(value).abs()).sum::<f64>() / map.len() as f64;
        let input = SegmenterInput {
            image,
            original_px: (425, 425),
        };
        let start = Instant::now();
        segmenter.segment(&input, &boxes)?;
        best.2 = best.2.min(start.elapsed().as_secs_f64());
    }
    println!("{:.4} {:.2} {:.4}", best.0, best.1, best.2);
    println!("{size}");
    Ok(())
}
