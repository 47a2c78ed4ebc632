//! Forecasts how much main memory a model's weights take, before they are read.

use super::model_files::{Local, ModelKind, Weights};
use super::registry::ModelEntry;
use super::torch_random::Untrained;
use super::{Checkpoint, TensorSource};
use crate::{Arithmetic, DeviceChoice, ModelError, WeightPrecision};

/// Side of the kernels that are computed as products of tiles (Winograd), px.
const TILED_PX: usize = 3;
/// Such a kernel has 4 x 4 values in memory instead of 3 x 3.
const TILED_BYTES: u64 = 16;
const PLAIN_BYTES: u64 = 9;

/// Main memory of a model's weights, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeightMemory {
    /// All weights, in the arrangement for products.
    pub arranged: u64,
    /// Additional memory while weights are read: the largest tensor as it is in its file.
    pub reading: u64,
}

impl WeightMemory {
    /// Memory of two models together, if they are read one after the other.
    #[must_use]
    pub fn and(self, other: WeightMemory) -> WeightMemory {
        WeightMemory {
            arranged: self.arranged + other.arranged,
            reading: self.reading.max(other.reading),
        }
    }
}

impl Checkpoint {
    /// Main memory of the tensors that have not been taken yet. They are not read.
    pub(crate) fn memory(&self) -> WeightMemory {
        let TensorSource::Stored(tensors) = &self.source else {
            return WeightMemory::default();
        };
        let mut memory = WeightMemory::default();
        for stored in tensors.values() {
            let n_values: usize = stored.shape.iter().product();
            let each = self.bytes_each(stored);
            memory.arranged += arranged(&stored.shape, n_values as u64 * each);
            memory.reading = memory.reading.max(4 * n_values as u64);
        }
        memory
    }
}

/// Bytes of an arranged tensor, given the bytes of its values.
fn arranged(shape: &[usize], bytes: u64) -> u64 {
    match *shape {
        // A kernel of a single channel is not tiled.
        [_, n_channels, TILED_PX, TILED_PX] if n_channels > 1 => bytes * TILED_BYTES / PLAIN_BYTES,
        _ => bytes,
    }
}

impl<K: ModelKind> Local<K> {
    /// Main memory of the weights on this device, from the shapes in the files. If the files are not on this machine,
    /// from the shapes of torchvision's constructor or from published sizes; `None` if neither is known.
    ///
    /// # Errors
    /// A file that cannot be read.
    ///
    /// ```
    /// use neurogauge_models::{DeviceChoice, LocalImageModel, WeightOptions};
    /// let found = LocalImageModel::locate("resnet18-untrained-42", &WeightOptions::default())?.unwrap();
    /// let memory = found.weight_memory(DeviceChoice::Cpu)?.unwrap();
    /// // 46.8 MB of weights, most of them in kernels of 3 x 3.
    /// assert_eq!(memory.arranged / 1_000_000, 80);
    /// assert_eq!(memory.reading, 4 * 512 * 512 * 9);
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn weight_memory(&self, device: DeviceChoice) -> Result<Option<WeightMemory>, ModelError> {
        let precision = WeightPrecision::of(self.identity());
        let arithmetic = Arithmetic { precision, device };
        match &self.weights {
            Weights::None => Ok(Some(WeightMemory::default())),
            Weights::Random { constructor, entry, .. } => of_shapes(*constructor, entry, arithmetic).map(Some),
            Weights::File { entry, path } if path.exists() => {
                let name = entry.architecture.name();
                let mut memory = Checkpoint::open(path, name, arithmetic)?.memory();
                let further = K::further_files(entry, path)?.into_iter();
                // Settings and tokenizers are not weights.
                for further in further.filter(|file| file.extension() != Some("json".as_ref())) {
                    memory = memory.and(Checkpoint::open(&further, name, arithmetic)?.memory());
                }
                Ok(Some(memory))
            }
            Weights::File { entry, .. } => {
                let mut constructors = Untrained::all();
                if let Some(constructor) = constructors.find(|known| known.name() == entry.id) {
                    return of_shapes(constructor, entry, arithmetic).map(Some);
                }
                let published = entry.weights().bytes;
                Ok(published.map(|bytes| WeightMemory {
                    arranged: bytes,
                    reading: 0,
                }))
            }
        }
    }
}

fn of_shapes(constructor: Untrained, entry: &ModelEntry, arithmetic: Arithmetic) -> Result<WeightMemory, ModelError> {
    let tensors = constructor.shapes().into_iter();
    let tensors = tensors.map(|(name, shape)| (name, shape, Vec::new()));
    let checkpoint = Checkpoint::from_tensors(tensors.collect(), entry.architecture.name())?;
    Ok(checkpoint.computed(arithmetic)?.memory())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_are_counted_as_they_are_arranged() {
        let tensors = [("linear", vec![10, 7]), ("tiled", vec![4, 2, 3, 3]), ("depthwise", vec![4, 1, 3, 3])];
        let tensors = tensors.map(|(name, shape)| (name.to_owned(), shape, Vec::new()));
        let checkpoint = Checkpoint::from_tensors(tensors.into(), "test").unwrap();
        let memory = checkpoint.memory();
        assert_eq!(memory.arranged, 4 * (70 + 4 * 2 * 16 + 36));
        assert_eq!(memory.reading, 4 * 72);
        let halved = checkpoint.rounded(WeightPrecision::Bf16).memory();
        assert_eq!((halved.arranged, halved.reading), (memory.arranged / 2, 4 * 72));
    }
}
