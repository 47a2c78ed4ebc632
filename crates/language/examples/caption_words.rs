//! Words of captions, for whoever wants to hold them against another tokenizer: a JSON list of captions in, a JSON list
//! of lists of words out.
//!
//! ```text
//! caption_words < CAPTIONS.json
//! ```
#![allow(clippy::print_stdout)]

use neurogauge_language::ptb_caption_words;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let captions: Vec<String> = serde_json::from_reader(std::io::stdin())?;
    let words: Vec<Vec<String>> = captions.iter().map(|text| ptb_caption_words(text)).collect();
    println!("{}", serde_json::to_string(&words)?);
    Ok(())
}
