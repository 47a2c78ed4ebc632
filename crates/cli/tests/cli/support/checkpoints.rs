//! Writes synthetic checkpoints like those of the reference scripts.

use super::*;
use fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};

/// A golden by its name below `reference/golden`.
pub(crate) fn golden(name: &str) -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden");
    serde_json::from_slice(&fs::read(format!("{root}/{name}.json")).unwrap()).unwrap()
}

/// Writes the synthetic checkpoint of a model, with the golden's shapes.
pub(crate) fn write_checkpoint(model: &Value, path: &Path) {
    write_changed(model, path, |_, _| {});
}

/// The same after a change of its tensors, by name. AlexNet's classifier, which no metric uses, stays zero and takes no
/// disk space.
pub(crate) fn write_changed(model: &Value, path: &Path, change: impl Fn(&str, &mut [f32])) {
    let shapes: Map<String, Value> = model["tensors"].fields().clone();
    let damped = model["damped"].as_object();
    let mut header = Map::new();
    let mut end = 0;
    for (name, shape) in &shapes {
        let n: u64 = shape.list().iter().map(|n| n.natural()).product();
        let start = end;
        end += 4 * n;
        header.insert(name.clone(), json!({"dtype": "F32", "shape": shape, "data_offsets": [start, end]}));
    }
    let header = Value::Object(header).to_string();
    let mut file = BufWriter::new(File::create(path).unwrap());
    file.write_all(&(header.len() as u64).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    for (name, shape) in &shapes {
        if name.starts_with("classifier.") && shapes.contains_key("features.0.weight") {
            let n: i64 = shape.list().iter().map(|n| n.as_i64().unwrap()).product();
            file.seek(SeekFrom::Current(4 * n)).unwrap();
            continue;
        }
        let shape: Vec<usize> = serde_json::from_value(shape.clone()).unwrap();
        let factors = damped.into_iter().flatten();
        let factor: f32 = factors
            .filter(|(ending, _)| name.ends_with(ending.as_str()))
            .map(|(_, factor)| factor.number() as f32)
            .product();
        let values = parameter(name, &shape, 0).into_iter();
        let mut values: Vec<f32> = values.map(|value| value * factor).collect();
        change(name, &mut values);
        let mut bytes = vec![0; 4 * values.len()];
        bytes
            .chunks_exact_mut(4)
            .zip(&values)
            .for_each(|(four, value)| four.copy_from_slice(&value.to_le_bytes()));
        file.write_all(&bytes).unwrap();
    }
    let file = file.into_inner().unwrap();
    file.set_len(8 + header.len() as u64 + end).unwrap();
}

/// Writes a parser of captions (a T5 and its tokenizer) into a folder; returns the path of its weights.
pub(crate) fn write_parser(dir: &Path, change: impl Fn(&str, &mut [f32])) -> PathBuf {
    fs::create_dir_all(dir).unwrap();
    let model = golden("models/t5_reduced");
    let write = |name: &str, content: &Value| {
        fs::write(dir.join(name), content.to_string()).unwrap();
    };
    write("config.json", &model["config"]);
    write("tokenizer.json", &golden("scene_graph_text")["tokenizer"]);
    let path = dir.join("model.safetensors");
    write_changed(&model, &path, change);
    path
}

/// Writes a model of yes and no (a CLIP-FlanT5, its image tower's configuration and its tokenizer) into a folder;
/// returns the path of its weights.
pub(crate) fn write_scorer(dir: &Path) -> PathBuf {
    let tower = dir.join("clip-vit-large-patch14-336");
    fs::create_dir_all(&tower).unwrap();
    let model = golden("models/clip_t5_reduced");
    for (path, content) in [
        (dir.join("config.json"), &model["config"]),
        (tower.join("config.json"), &model["tower"]),
        (dir.join("tokenizer.json"), &golden("models/clip_t5_tokenizer")),
    ] {
        fs::write(path, content.to_string()).unwrap();
    }
    let path = dir.join("model.safetensors");
    write_checkpoint(&model, &path);
    path
}
