//! Files of LPIPS with synthetic numbers.

use super::*;

/// Heads of AlexNet's layers.
pub(crate) fn write_heads(path: &Path, factor: f32) {
    let heads = [64, 192, 384, 256, 256].into_iter().enumerate().map(|(index, n_channels)| {
        let (name, shape) = (format!("lin{index}.model.1.weight"), vec![1, n_channels, 1, 1]);
        let values = parameter(&name, &shape, 0).into_iter().map(|value| factor * value.abs()).collect();
        (name, shape, Some(values))
    });
    write_tensors(path, &heads.collect::<Vec<_>>());
}

/// AlexNet with synthetic convolutions.
pub(crate) fn write_alexnet(path: &Path) {
    write_checkpoint(&golden("nsd8")["models"]["alexnet"], path);
}
