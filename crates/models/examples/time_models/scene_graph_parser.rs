//! Parses the sentences of a JSON list on standard input, as FactualSceneGraph does (batches of 32), and writes the
//! texts of their graphs as a JSON list: `bench/parser.py` times it.
//!
//! ```text
//! time_models scene_graph_parser MODEL.safetensors MAX_TOKENS < SENTENCES.json
//! ```

use neurogauge_core::ModelIdentity;
use neurogauge_models::{ParserOptions, SceneGraphParser, SourceLimit};
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [weights, max_new_tokens] = arguments else {
        return Err("usage: time_models scene_graph_parser MODEL.safetensors MAX_TOKENS < SENTENCES.json".into());
    };
    let max_new_tokens = max_new_tokens.parse()?;
    let sentences: Vec<String> = serde_json::from_reader(std::io::stdin())?;
    let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let identity = ModelIdentity::placeholder("timed", "");
    let parser = SceneGraphParser::load(Path::new(weights), identity)?;
    let batch = NonZeroUsize::new(32).ok_or("a batch of nothing")?;
    let options = ParserOptions {
        max_new_tokens,
        source_limit: SourceLimit::LongestOfBatch(batch),
        ..ParserOptions::default()
    };
    let parsed = parser.parse(&sentences, &options, &|_| {})?;
    let texts: Vec<&str> = parsed.iter().map(|graph| graph.text.as_str()).collect();
    println!("{}", serde_json::to_string(&texts)?);
    Ok(())
}
