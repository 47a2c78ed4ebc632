//! Times all-MiniLM-L6-v2 on the texts of a JSON file (a list), as peers are timed in `bench/`:
//!
//! ```text
//! time_models text_encoder WEIGHTS_DIR TEXTS.json [REPEATS [ARITHMETIC]]
//! ```
//!
//! Prints the best wall time of a pass over all texts in seconds, and the sums of the first eight vectors.
//! RAYON_NUM_THREADS sets the threads.

use neurogauge_models::{MiniLm, TextEncoder};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [weights, texts, rest @ ..] = arguments else {
        return Err("usage: time_models text_encoder WEIGHTS_DIR TEXTS.json [REPEATS [ARITHMETIC]]".into());
    };
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(texts)?)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let repeats = rest.first().map_or(Ok(3), |repeats| repeats.parse())?;
    let arithmetic = rest.get(1).map(|text| text.parse()).transpose()?;
    let encoder = MiniLm::load(Path::new(weights), arithmetic.unwrap_or_default())?;
    let (mut best, mut sums) = (f64::INFINITY, Vec::new());
    for _ in 0..repeats {
        let start = Instant::now();
        let vectors = encoder.encode(&texts, &|_| {})?;
        best = best.min(start.elapsed().as_secs_f64());
        let vectors = vectors.chunks(vectors.len() / texts.len()).take(8);
        let sum = |vector: &[f32]| vector.iter().map(|&value| f64::from(value)).sum::<f64>();
        sums = vectors.map(sum).collect();
    }
    println!("{best:.4}\n{sums:?}");
    Ok(())
}
