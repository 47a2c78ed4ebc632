//! Times what models do, as peers are timed in `bench/`: `time_models KIND ARGUMENTS`. Each module has the arguments of
//! its kind.
#![allow(clippy::print_stdout)]

mod captioner;
mod detector;
mod image_model;
mod layers;
mod products;
mod scene_graph_parser;
mod segmenter;
mod text_encoder;

use std::error::Error;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, arguments) = arguments.split_first().ok_or(USAGE)?;
    match kind.as_str() {
        "captioner" => captioner::time(arguments),
        "detector" => detector::time(arguments),
        "image_model" => image_model::time(arguments),
        "layers" => layers::time(arguments),
        "products" => products::time(arguments),
        "scene_graph_parser" => scene_graph_parser::time(arguments),
        "segmenter" => segmenter::time(arguments),
        "text_encoder" => text_encoder::time(arguments),
        _ => Err(USAGE.into()),
    }
}

const USAGE: &str = "usage: time_models captioner | detector | image_model | layers | products | scene_graph_parser | segmenter | text_encoder ARGUMENTS";

/// What all threads have used so far; the kernel counts in hundredths.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_the_name = text.rsplit(')').next().unwrap_or_default();
    let fields = behind_the_name.split_whitespace().skip(11).take(2);
    let ticks: f64 = fields.filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}
