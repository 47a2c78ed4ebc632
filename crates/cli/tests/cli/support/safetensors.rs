//! Checkpoints with given numbers.

use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Name, shape, values.
pub(crate) type Stored = (String, Vec<usize>, Option<Vec<f32>>);

/// Writes a safetensors file with these tensors; those without values are zero, and take no disk space.
pub(crate) fn write_tensors(path: &Path, tensors: &[Stored]) {
    let (mut header, mut n_bytes) = (serde_json::Map::new(), 0);
    for (name, shape, _) in tensors {
        let end = n_bytes + 4 * shape.iter().product::<usize>();
        header.insert(name.clone(), json!({"dtype": "F32", "shape": shape, "data_offsets": [n_bytes, end]}));
        n_bytes = end;
    }
    let header = Value::Object(header).to_string().into_bytes();
    let length = header.len() + 8;
    let mut file = File::create(path).unwrap();
    file.write_all(&(header.len() as u64).to_le_bytes()).unwrap();
    file.write_all(&header).unwrap();
    for (_, _, values) in tensors {
        let Some(values) = values else { break };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        file.write_all(&bytes).unwrap();
    }
    file.set_len((length + n_bytes) as u64).unwrap();
}
