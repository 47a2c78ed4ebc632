//! Times all-MiniLM-L6-v2 on the captions of JSON files (`{"stem": "caption"}`):
//!
//! ```text
//! time_text_encoder WEIGHTS_DIR CAPTIONS.json [CAPTIONS.json ...]
//! ```
#![allow(clippy::print_stdout)]

use neurogauge_models::{MiniLm, TextEncoder};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut arguments = std::env::args().skip(1);
    let weights = arguments.next().ok_or("name the folder of the weights")?;
    let mut captions = Vec::new();
    for path in arguments {
        let file: BTreeMap<String, String> = serde_json::from_slice(&std::fs::read(path)?)?;
        captions.extend(file.into_values());
    }
    let texts: Vec<&str> = captions.iter().map(String::as_str).collect();
    let encoder = MiniLm::load(Path::new(&weights))?;
    println!("loaded after {:.3} s", start.elapsed().as_secs_f64());
    for _ in 0..3 {
        let start = Instant::now();
        let vectors = encoder.encode(&texts, &|_| {})?;
        println!(
            "{} texts in {:.3} s (checksum {})",
            texts.len(),
            start.elapsed().as_secs_f64(),
            vectors.iter().map(|v| f64::from(*v)).sum::<f64>()
        );
    }
    Ok(())
}
