//! A small BERT whose weights depend on their names, like that of `reference/text_encoder.py`, written to a folder in
//! the published layout.

use crate::parity;
use candle_core::{DType, Device, Tensor};
use neurogauge_core::synthetic::Synthetic;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The reference script's output.
pub(crate) fn golden() -> Value {
    parity::golden("../text_encoder_synthetic")
}

/// The reference implementation's tensors, by its names.
pub(crate) fn tensors(golden: &Value) -> HashMap<String, Tensor> {
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let tensor = weight(&name, &shape);
        (name, tensor)
    };
    parity::tensors(golden).into_iter().map(tensor).collect()
}

fn weight(name: &str, shape: &[usize]) -> Tensor {
    let source = Synthetic::new(name, 0);
    let n: usize = shape.iter().product();
    let values: Vec<f32> = (0..n as u64)
        .map(|i| {
            let noise = source.uniform(i) * 2.0 - 1.0;
            if name.contains("LayerNorm.weight") {
                1.0 + 0.25 * noise
            } else if shape.len() == 1 {
                0.25 * noise
            } else if name.contains("embeddings") {
                noise
            } else {
                noise * (3.0 / shape[1] as f64).sqrt() as f32
            }
        })
        .collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

/// Writes a folder that [`neurogauge_models::MiniLm::load`] reads.
pub(crate) fn write(dir: &Path, config: &Value, tensors: &HashMap<String, Tensor>) {
    std::fs::write(dir.join("config.json"), config.to_string()).unwrap();
    std::fs::write(dir.join("tokenizer.json"), tokenizer().to_string()).unwrap();
    candle_core::safetensors::save(tensors, dir.join("model.safetensors")).unwrap();
}

/// The text with these token ids (the tokenizer adds [CLS] and [SEP]).
pub(crate) fn text(ids: &[u32]) -> String {
    let words: Vec<String> = ids[1..ids.len() - 1].iter().map(|id| format!("t{id}")).collect();
    words.join(" ")
}

/// An integer tensor, as in old checkpoints.
pub(crate) fn position_ids() -> Tensor {
    Tensor::arange(0_u32, 40, &Device::Cpu)
        .and_then(|ids| ids.to_dtype(DType::I64)?.reshape((1, 40)))
        .unwrap()
}

/// A tokenizer of 97 words, t0 to t96; t1 and t2 serve as [CLS] and [SEP].
fn tokenizer() -> Value {
    let vocab: serde_json::Map<String, Value> = (0..97).map(|id| (format!("t{id}"), json!(id))).collect();
    let special = |id: u32| {
        let token = format!("t{id}");
        json!({ "id": token, "ids": [id], "tokens": [token] })
    };
    json!({
        "version": "1.0",
        "truncation": { "max_length": 5, "strategy": "LongestFirst", "stride": 0, "direction": "Right" },
        "padding": {
            "strategy": { "Fixed": 30 }, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "t0"
        },
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": { "type": "WhitespaceSplit" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                { "SpecialToken": { "id": "t1", "type_id": 0 } },
                { "Sequence": { "id": "A", "type_id": 0 } },
                { "SpecialToken": { "id": "t2", "type_id": 0 } }
            ],
            "pair": [
                { "Sequence": { "id": "A", "type_id": 0 } },
                { "Sequence": { "id": "B", "type_id": 1 } }
            ],
            "special_tokens": { "t1": special(1), "t2": special(2) }
        },
        "decoder": null,
        "model": { "type": "WordLevel", "vocab": vocab, "unk_token": "t0" }
    })
}
