//! Parses the ids of image models: custom, rounded and random weights.

use super::LocalImageModel;
use crate::ModelError;
use crate::checkpoint::model_files::{UNTRAINED, Weights};
use crate::checkpoint::torch_random::{TruncatedNormal, Untrained};
use neurogauge_core::ModelIdentity;

/// Suffix after the seed: truncated normal draws as in PyTorch up to 2.11.
const INVERSE_ERF: &str = "-inverse-erf";

/// The model with random weights that the id asks for; `None` if it asks for other weights.
pub(super) fn untrained(id: &str) -> Result<Option<LocalImageModel>, ModelError> {
    let Some((base, seed)) = id.split_once(UNTRAINED) else {
        return Ok(None);
    };
    let entry = LocalImageModel::entry(base)?;
    let (seed, truncated_normal) = match seed.strip_suffix(INVERSE_ERF) {
        Some(seed) => (seed, TruncatedNormal::InverseErf),
        None => (seed, TruncatedNormal::Rejection),
    };
    let constructor = Untrained::all().find(|it| it.name() == base);
    let (Some(constructor), Ok(seed)) = (constructor, seed.parse()) else {
        let known: Vec<String> = Untrained::all().map(|it| format!("{}{UNTRAINED}SEED", it.name())).collect();
        return Err(ModelError::unknown_model(id, known.iter().map(String::as_str), &known.join(", ")));
    };
    let identity = ModelIdentity {
        id: id.to_owned(),
        revision: format!("torch.manual_seed({seed}) and torchvision's constructor"),
        sha256: String::new(),
        stand_in: false,
    };
    let weights = Weights::Random {
        entry,
        constructor,
        seed,
        truncated_normal,
    };
    Ok(Some(LocalImageModel::new(identity, weights)))
}
