//! Files of LPIPS with synthetic numbers.

use super::safetensors::write_tensors;
use neurogauge::core::synthetic::parameter;
use std::path::Path;

/// Writes heads for AlexNet's layers.
pub(crate) fn write_heads(path: &Path, factor: f32) {
    let heads = [64, 192, 384, 256, 256].into_iter().enumerate().map(|(index, n_channels)| {
        let (name, shape) = (format!("lin{index}.model.1.weight"), vec![1, n_channels, 1, 1]);
        let values = parameter(&name, &shape, 0).into_iter().map(|value| factor * value.abs()).collect();
        (name, shape, Some(values))
    });
    write_tensors(path, &heads.collect::<Vec<_>>());
}

/// Writes AlexNet with synthetic convolutions, and zeros in its classifier, which LPIPS does not use.
pub(crate) fn write_alexnet(path: &Path) {
    let convolutions: [(usize, [usize; 4]); 5] = [
        (0, [64, 3, 11, 11]),
        (3, [192, 64, 5, 5]),
        (6, [384, 192, 3, 3]),
        (8, [256, 384, 3, 3]),
        (10, [256, 256, 3, 3]),
    ];
    let mut tensors = Vec::new();
    for (position, shape) in convolutions {
        for (ending, shape) in [("weight", shape.to_vec()), ("bias", shape[..1].to_vec())] {
            let name = format!("features.{position}.{ending}");
            let values = parameter(&name, &shape, 0);
            tensors.push((name, shape, Some(values)));
        }
    }
    for (position, shape) in [(1, [4096, 9216]), (4, [4096, 4096]), (6, [1000, 4096])] {
        for (ending, shape) in [("weight", shape.to_vec()), ("bias", shape[..1].to_vec())] {
            tensors.push((format!("classifier.{position}.{ending}"), shape, None));
        }
    }
    write_tensors(path, &tensors);
}
