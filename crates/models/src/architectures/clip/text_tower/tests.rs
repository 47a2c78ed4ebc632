//! Compares every text tower with its golden: the same synthetic checkpoint, the same ids, every recorded layer.
#![allow(clippy::print_stdout)]

use super::*;
use crate::DeviceChoice;
use crate::goldens::{device, devices, difference, golden, read, tensors};
use neurogauge_kernels::blocks::host_values;
use std::collections::BTreeMap;

/// Largest difference from the reference, in standard deviations of the layer's values.
const TOLERANCE: f64 = 1e-4;

fn check(name: &str, layout: Layout, device: DeviceChoice) {
    let golden = golden(name);
    let mut shapes = tensors(&golden);
    shapes.remove("logit_scale");
    let config = TextConfig::from_shapes(layout, |name| shapes.get(name).cloned());
    let checkpoint = Checkpoint::synthetic(0, &[], "CLIP text tower");
    let mut checkpoint = checkpoint.computed(device.into()).unwrap();
    let tower = TextTower::build(&mut checkpoint, config, layout).unwrap();
    let taken: BTreeMap<String, Vec<usize>> = checkpoint.taken().iter().cloned().collect();
    assert_eq!(taken, shapes);

    let run = &golden["runs"][0];
    let ids: Vec<Vec<u32>> = read(&run["ids"]);
    let sequences = Sequences::new(ids.iter().map(Vec::len));
    let rows: Vec<_> = sequences.rows().collect();
    let mut worst = 0.0_f64;
    let mut compare = |tap: &str, x: &Tensor, rows: &[std::ops::Range<usize>]| {
        let Some(records) = run["taps"][tap].as_array() else {
            return;
        };
        assert_eq!(rows.len(), records.len());
        for (rows, record) in rows.iter().zip(records) {
            let own = x.narrow(0, rows.start, rows.len()).unwrap();
            let own = host_values(&own).unwrap();
            let error = difference(tap, &own, record);
            assert!(error < TOLERANCE, "{name} {tap}: {error:e}");
            worst = worst.max(error);
        }
    };
    let mask = CausalMask::new(&sequences);
    let mut x = tower.embed(&ids.concat(), &sequences).unwrap();
    compare("text_model.embeddings", &x, &rows);
    for (index, block) in tower.blocks.iter().enumerate() {
        x = block.forward(&x, &sequences, &mask).unwrap();
        let name = format!("{}.{index}", Names::of(layout).blocks);
        compare(&name, &x, &rows);
    }
    let x = tower.norm.forward(&x).unwrap();
    compare(Names::of(layout).norm, &x, &rows);
    let vectors = tower.forward(&ids.concat(), &sequences).unwrap();
    let each: Vec<_> = (0..ids.len()).map(|index| index..index + 1).collect();
    compare("text_projection", &vectors, &each);
    println!("{name} on {device}: {worst:e}");
}

#[test]
fn equals_transformers() {
    for device in devices() {
        check("clip_text_reduced", Layout::HuggingFace, device);
    }
    for name in ["clip_text_b_16", "clip_text_l_14"] {
        check(name, Layout::HuggingFace, device());
    }
}

#[test]
fn equals_open_clip_in_openai_s_layout() {
    for device in devices() {
        check("clip_openai_text_reduced", Layout::OpenAi, device);
    }
    check("clip_openai_text_b_16", Layout::OpenAi, device());
}

#[test]
fn a_text_has_the_same_bits_in_any_company() {
    let config = TextConfig {
        vocab_size: 50,
        width: 64,
        n_inner: 100,
        n_blocks: 2,
        n_embedding: 20,
        ..B_16
    };
    let mut checkpoint = Checkpoint::synthetic(0, &[], "CLIP text tower");
    let tower = TextTower::build(&mut checkpoint, config, Layout::OpenAi).unwrap();
    let texts: [&[u32]; 3] = [&[48, 1, 2, 49], &[48, 49], &[48, 7, 8, 9, 10, 49]];
    let sequences = Sequences::new(texts.iter().map(|ids| ids.len()));
    let together = tower.forward(&texts.concat(), &sequences).unwrap();
    for (ids, row) in texts.iter().zip(together.to_vec2::<f32>().unwrap()) {
        let alone = tower.forward(ids, &Sequences::new([ids.len()])).unwrap();
        assert_eq!(alone.to_vec2::<f32>().unwrap()[0], row);
    }
}
