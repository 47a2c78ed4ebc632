//! Low-rank adapters (LoRA, Hu et al. 2022) in the files of the library peft: `adapter_config.json`, and beside it two
//! matrices for each adapted map, A and B. The map's weight becomes W + (α / r) B A.

use super::config_json::{ConfigJson, Refusal};
use super::{Checkpoint, Numbers, TensorSource};
use crate::ModelError;
use neurogauge_formats::FormatError;
use neurogauge_formats::state_dict::StateTensor;
use neurogauge_kernels::blocks::add_product;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file with the settings, beside the matrices.
pub(crate) const CONFIG: &str = "adapter_config.json";
/// peft's prefix before the names of a model's modules.
const BEFORE: &str = "base_model.model.";
/// peft's suffixes of the matrices' names: A has `r` rows, B has `r` columns.
const BEHIND: [&str; 2] = [".lora_A.weight", ".lora_B.weight"];

/// The fields of `adapter_config.json` that decide the adapted weights.
#[derive(Debug, Deserialize)]
struct Config {
    peft_type: Option<String>,
    r: usize,
    lora_alpha: f64,
    target_modules: Value,
    #[serde(default)]
    bias: Value,
    #[serde(default)]
    fan_in_fan_out: Value,
    #[serde(default)]
    use_rslora: Value,
    #[serde(default)]
    use_dora: Value,
    #[serde(default)]
    rank_pattern: Value,
    #[serde(default)]
    alpha_pattern: Value,
    #[serde(default)]
    modules_to_save: Value,
}

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = "LoRA";

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        if let Some(kind) = &self.peft_type {
            refusal.unless_equal("peft_type", kind, "LORA")?;
        }
        refusal.unless_positive(&[("r", self.r)])?;
        let (alpha, targets) = (self.lora_alpha, &self.target_modules);
        refusal.unless(alpha.is_finite(), "lora_alpha", &alpha, "a number")?;
        let expected = "a list of names of modules";
        refusal.unless(self.targets().is_some(), "target_modules", targets, expected)?;
        let plain = [
            ("bias", &self.bias, Value::from("none")),
            ("fan_in_fan_out", &self.fan_in_fan_out, Value::from(false)),
            ("use_rslora", &self.use_rslora, Value::from(false)),
            ("use_dora", &self.use_dora, Value::from(false)),
            ("rank_pattern", &self.rank_pattern, serde_json::json!({})),
            ("alpha_pattern", &self.alpha_pattern, serde_json::json!({})),
            ("modules_to_save", &self.modules_to_save, Value::Null),
        ];
        for (field, found, expected) in plain {
            let holds = found.is_null() || *found == expected;
            refusal.unless(holds, field, found, &expected.to_string())?;
        }
        Ok(())
    }
}

impl Config {
    /// Last parts of the adapted modules' names.
    fn targets(&self) -> Option<Vec<String>> {
        let names = self.target_modules.as_array()?.iter();
        let names: Option<Vec<String>> = names.map(|name| Some(name.as_str()?.to_owned())).collect();
        names.filter(|names| !names.is_empty())
    }
}

/// An adapter, which gives its matrices to the checkpoints of the model's parts.
pub(crate) struct LoraAdapter {
    path: PathBuf,
    rank: usize,
    scale: f64,
    targets: Vec<String>,
    /// The matrices A and B of each module.
    matrices: BTreeMap<String, [Option<StateTensor>; 2]>,
}

/// The factors of a product that is added to a map's weight.
pub(super) struct LowRank {
    a: StateTensor,
    b: StateTensor,
    rank: usize,
    scale: f64,
}

impl LoraAdapter {
    /// Reads the settings and the shapes of the matrices. Their numbers are read when a weight is taken.
    ///
    /// # Errors A file that is missing, cut short or malformed; settings that ask for another computation; tensors that
    /// are not an adapter's matrices.
    pub(crate) fn open(matrices: &Path, architecture: &'static str) -> Result<Self, ModelError> {
        let config = Config::read(&matrices.with_file_name(CONFIG))?;
        let mut adapter = LoraAdapter {
            path: matrices.to_owned(),
            rank: config.r,
            scale: config.lora_alpha / config.r as f64,
            targets: config.targets().unwrap_or_default(),
            matrices: BTreeMap::new(),
        };
        for tensor in Checkpoint::file(matrices, architecture)?.into_tensors() {
            let place = BEHIND.iter().enumerate().find_map(|(place, behind)| {
                let module = tensor.name.strip_prefix(BEFORE)?.strip_suffix(behind)?;
                Some((place, module.to_owned()))
            });
            let Some((place, module)) = place else {
                return Err(adapter.malformed(format!(
                    "{:?} is no matrix of an adapter; expected names like {BEFORE}MODULE{} and {BEFORE}MODULE{}",
                    tensor.name, BEHIND[0], BEHIND[1]
                )));
            };
            adapter.matrices.entry(module).or_default()[place] = Some(tensor);
        }
        Ok(adapter)
    }

    fn malformed(&self, reason: String) -> ModelError {
        ModelError::malformed(&self.path, reason)
    }

    fn adapts(&self, module: &str) -> bool {
        let mut targets = self.targets.iter();
        targets.any(|target| {
            let before = module.strip_suffix(target.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
    }

    /// What the adapter adds to a module's weight of this shape.
    fn take(&mut self, module: &str, shape: &[usize]) -> Result<LowRank, ModelError> {
        let found = self.matrices.remove(module).unwrap_or_default();
        let (rank, n_out, n_in) = match *shape {
            [n_out, n_in] => (self.rank, n_out, n_in),
            _ => {
                return Err(self.malformed(format!("{module} of shape {shape:?} is no linear map")));
            }
        };
        let expected = [[rank, n_in], [n_out, rank]];
        let mut both = Vec::new();
        for ((tensor, behind), expected) in found.into_iter().zip(BEHIND).zip(expected) {
            let name = format!("{BEFORE}{module}{behind}");
            let Some(tensor) = tensor else {
                let targets = self.targets.join(", ");
                return Err(self.malformed(format!(
                    "no tensor {name}; {CONFIG} says that every module called {targets} is adapted"
                )));
            };
            if tensor.shape() != expected.map(|n| n as u64) {
                return Err(self.malformed(format!(
                    "{name} has the shape {:?}; expected {expected:?} for the rank r = {rank} of {CONFIG} and a map \
                     from {n_in} to {n_out} features",
                    tensor.shape()
                )));
            }
            if !tensor.element_type().is_float() {
                let found = tensor.element_type();
                return Err(self.malformed(format!("{name} holds {found}; expected floats")));
            }
            both.push(tensor);
        }
        let [a, b]: [StateTensor; 2] =
            both.try_into().map_err(|_| self.malformed(format!("{module} lacks a matrix")))?;
        Ok(LowRank {
            a,
            b,
            rank,
            scale: self.scale,
        })
    }

    /// Fails unless every matrix has been added to a map.
    pub(crate) fn finish(self) -> Result<(), ModelError> {
        match self.matrices.keys().next() {
            None => Ok(()),
            Some(module) => Err(self.malformed(format!(
                "it adapts {module}, which the model does not have or which is not among the target_modules of {CONFIG} \
                 ({}); is it the adapter of another model?",
                self.targets.join(", ")
            ))),
        }
    }
}

impl LowRank {
    /// Adds (α / r) B A, computed in `f64`, to the weight with these values.
    pub(super) fn add_to(&self, weight: &mut [f32]) -> Result<(), FormatError> {
        let (a, b) = (self.a.read_f32()?, self.b.read_f32()?);
        add_product(weight, &b, &a, self.rank, self.scale);
        Ok(())
    }
}

impl Checkpoint {
    /// Adds the adapter's matrices to the tensors of adapted maps. In the adapter, the names of this checkpoint's
    /// modules have `prefix` before them.
    ///
    /// # Errors
    /// Matrices that are missing, or do not fit the rank or the map; a checkpoint without any of the adapted maps.
    pub(crate) fn adapted(mut self, adapter: &mut LoraAdapter, prefix: &str) -> Result<Self, ModelError> {
        let mut n_adapted = 0;
        if let TensorSource::Stored(tensors) = &mut self.source {
            for (name, stored) in tensors {
                let module = name.strip_suffix(".weight");
                let Some(module) = module.filter(|module| adapter.adapts(module)) else {
                    continue;
                };
                let added = adapter.take(&format!("{prefix}{module}"), &stored.shape)?;
                let own = std::mem::replace(&mut stored.numbers, Numbers::InMemory(Vec::new()));
                stored.numbers = Numbers::Adapted(Box::new(own), added);
                n_adapted += 1;
            }
        }
        if n_adapted == 0 {
            let targets = adapter.targets.join(", ");
            return Err(ModelError::malformed(
                self.path,
                format!("no map in it is called {targets}, which the adapter {} is of", adapter.path.display()),
            ));
        }
        Ok(self)
    }
}
