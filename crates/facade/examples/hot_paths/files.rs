//! Readers, of files in a folder that goes with the process.

use crate::inputs::{centred, image_u8, outcomes, uniform};
use crate::{Failure, HotPath, Work};
use neurogauge::core::{LabelList, ScoreTable};
use neurogauge::formats::{
    content_hash, detections, image_file, metric_table, npy, scores_csv, scores_parquet, state_dict,
};
use std::fmt::Write;
use std::path::PathBuf;
use tempfile::TempDir;

pub(crate) const PATHS: &[HotPath] = &[
    ("read-npy", npy_file),
    ("write-parquet", parquet_written),
    ("read-parquet", parquet_read),
    ("read-csv", csv),
    ("read-json-boxes", boxes),
    ("read-safetensors", safetensors),
    ("read-png", png),
    ("sha-256", hash),
];

/// A path in a new folder, which lives as long as the first of both.
fn place(name: &str) -> Result<(TempDir, PathBuf), Failure> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(name);
    Ok((folder, path))
}

fn npy_file() -> Result<Work, Failure> {
    let (folder, path) = place("rows.npy")?;
    npy::write_f64(&path, &[200, 500], &uniform("rows", 100_000))?;
    Ok(Box::new(move || {
        let _ = &folder;
        Ok(f64::from(npy::read_f32(&path)?.1[7]))
    }))
}

fn table() -> ScoreTable {
    let mut table = ScoreTable::new((0..500).map(|pair| format!("pair{pair}")).collect());
    for metric in ["ssim", "pixcorr", "psnr", "cap_sim"] {
        let column = (metric.to_owned(), outcomes(metric, 500));
        table.columns.push(column);
    }
    table
}

fn parquet_written() -> Result<Work, Failure> {
    let (folder, path) = place("scores.parquet")?;
    let table = table();
    Ok(Box::new(move || {
        let _ = &folder;
        scores_parquet::write(&path, &table)?;
        Ok(std::fs::metadata(&path)?.len() as f64)
    }))
}

fn parquet_read() -> Result<Work, Failure> {
    let (folder, path) = place("scores.parquet")?;
    scores_parquet::write(&path, &table())?;
    Ok(Box::new(move || {
        let _ = &folder;
        Ok(scores_parquet::read(&path)?.pairs.len() as f64)
    }))
}

fn csv() -> Result<Work, Failure> {
    let (folder, path) = place("scores.csv")?;
    std::fs::write(&path, scores_csv::written(&table(), &[]))?;
    Ok(Box::new(move || {
        let _ = &folder;
        Ok(metric_table::read(&path)?.items.len() as f64)
    }))
}

fn boxes() -> Result<Work, Failure> {
    let (folder, path) = place("boxes.json")?;
    let values = uniform("boxes", 4 * 6000);
    let mut text = String::from("{");
    for (stimulus, of_stimulus) in values.chunks(4 * 60).enumerate() {
        let comma = if stimulus == 0 { "" } else { "," };
        let boxes: Vec<String> = (of_stimulus.chunks(4))
            .map(|v| format!("[{},{},{},{}]", v[0] / 2.0, v[1] / 2.0, 0.5 + v[2] / 2.0, 0.5 + v[3] / 2.0))
            .collect();
        write!(text, "{comma}\"{stimulus}\":{{\"boat\":[{}]}}", boxes.join(","))?;
    }
    std::fs::write(&path, text + "}")?;
    let labels = LabelList::coco();
    Ok(Box::new(move || {
        let _ = &folder;
        let read = detections::read_boxes(&path, &labels, (425.0, 425.0))?;
        Ok(read[3].1.items[5].bbox.x0)
    }))
}

fn safetensors() -> Result<Work, Failure> {
    let (folder, path) = place("model.safetensors")?;
    let values = centred("weights", 40 * 5000);
    let entries: Vec<String> = (0..40)
        .map(|i| {
            let (from, to) = (i * 20_000, (i + 1) * 20_000);
            format!(r#""layer.{i}.weight":{{"dtype":"F32","shape":[50,100],"data_offsets":[{from},{to}]}}"#)
        })
        .collect();
    let head = format!("{{{}}}", entries.join(","));
    let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
    bytes.extend(head.into_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    std::fs::write(&path, bytes)?;
    Ok(Box::new(move || {
        let _ = &folder;
        let mut sum = 0.0;
        for tensor in state_dict::open(&path)?.tensors() {
            sum += f64::from(tensor.read_f32()?[0]);
        }
        Ok(sum)
    }))
}

fn png() -> Result<Work, Failure> {
    let (folder, path) = place("image.png")?;
    image_file::write_png(&path, &image_u8("image", 256))?;
    Ok(Box::new(move || {
        let _ = &folder;
        Ok(f64::from(image_file::read_rgb8(&path)?.at(5, 5, 1)))
    }))
}

fn hash() -> Result<Work, Failure> {
    let (folder, path) = place("bytes")?;
    std::fs::write(&path, vec![7_u8; 1 << 20])?;
    Ok(Box::new(move || {
        let _ = &folder;
        Ok(content_hash::of_file(&path)?.len() as f64)
    }))
}
