//! The devices that models run on.

use crate::KernelError;
use crate::blocks::halving::in_parts;
use crate::error::MayLackMemory;
use candle_core::{DType, Device, Result as EngineResult, Tensor};
use neurogauge_core::ModelIdentity;
use rayon::prelude::*;
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// The device that runs a model: the CPU by default.
///
/// The CPU in f32 has its own kernels. Everything else uses the engine's operations, a batch at a time: GPUs in f32,
/// and the CPU in f64, so that both ways can be compared on any machine. The same weights and input give values that
/// differ by rounding, so results are kept apart by device: image features by their recipe, those of other models by
/// the model's id, to which the device is appended (`-cuda`, `-cuda1`, `-metal`, `-cpu-f64`).
///
/// Written `cpu`, `cpu-f64`, `cuda` or `cuda:N`, `metal` or `metal:N`.
///
/// ```
/// use neurogauge_kernels::DeviceChoice;
/// assert_eq!("cuda".parse(), Ok(DeviceChoice::Cuda(0)));
/// assert_eq!(DeviceChoice::Metal(1).to_string(), "metal:1");
/// assert!("tpu".parse::<DeviceChoice>().unwrap_err().contains("cpu-f64"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, SerializeDisplay, DeserializeFromStr)]
#[non_exhaustive]
pub enum DeviceChoice {
    /// The CPU, in f32.
    #[default]
    Cpu,
    /// The CPU in f64, which is slow and free of all rounding except the last.
    CpuF64,
    /// The NVIDIA GPU of this number.
    Cuda(usize),
    /// The Apple GPU of this number.
    Metal(usize),
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Cpu => write!(f, "cpu"),
            DeviceChoice::CpuF64 => write!(f, "cpu-f64"),
            DeviceChoice::Cuda(number) => write!(f, "cuda:{number}"),
            DeviceChoice::Metal(number) => write!(f, "metal:{number}"),
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, number) = text.split_once(':').unwrap_or((text, "0"));
        match (kind, number.parse()) {
            ("cpu", _) if text == kind => Ok(DeviceChoice::Cpu),
            ("cpu-f64", _) if text == kind => Ok(DeviceChoice::CpuF64),
            ("cuda", Ok(number)) => Ok(DeviceChoice::Cuda(number)),
            ("metal", Ok(number)) => Ok(DeviceChoice::Metal(number)),
            _ => Err(format!("{text:?}: expected cpu, cpu-f64, cuda, cuda:N, metal or metal:N")),
        }
    }
}

impl DeviceChoice {
    /// Is there such a device, and can this build use it?
    ///
    /// # Errors
    /// [`KernelError::DeviceNotBuilt`], [`KernelError::Device`].
    pub fn check(self) -> Result<(), KernelError> {
        self.placement().map(|_| ())
    }

    /// Adds the device to a model's id; a placeholder runs on the CPU and keeps its id.
    ///
    /// ```
    /// use neurogauge_core::ModelIdentity;
    /// use neurogauge_kernels::DeviceChoice;
    /// let identity = ModelIdentity::named("git_large_coco");
    /// let marked = DeviceChoice::Cuda(1).marked(identity);
    /// assert_eq!(marked.id, "git_large_coco-cuda1");
    /// assert_eq!(DeviceChoice::of(&marked), DeviceChoice::Cuda(1));
    /// assert_eq!(DeviceChoice::unmarked(&marked.id), "git_large_coco");
    /// ```
    #[must_use]
    pub fn marked(self, mut identity: ModelIdentity) -> ModelIdentity {
        if self != DeviceChoice::Cpu && !identity.stand_in {
            let device = self.to_string().replace(":0", "").replace(':', "");
            identity.id = format!("{}-{device}", identity.id);
        }
        identity
    }

    /// The device that a model's id tells.
    pub fn of(identity: &ModelIdentity) -> Self {
        Self::split(&identity.id).1
    }

    /// Removes the device from a model's id.
    pub fn unmarked(id: &str) -> &str {
        Self::split(id).0
    }

    fn split(id: &str) -> (&str, Self) {
        if let Some(base) = id.strip_suffix("-cpu-f64") {
            return (base, DeviceChoice::CpuF64);
        }
        let found = id.rsplit_once('-').and_then(|(base, device)| {
            let name = device.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = match &device[name.len()..] {
                "" => 0,
                number => number.parse().ok()?,
            };
            match name {
                "cuda" => Some((base, DeviceChoice::Cuda(number))),
                "metal" => Some((base, DeviceChoice::Metal(number))),
                _ => None,
            }
        });
        found.unwrap_or((id, DeviceChoice::Cpu))
    }

    /// Prepares the device.
    pub fn placement(self) -> Result<Placement, KernelError> {
        use candle_core::utils::{cuda_is_available, metal_is_available};
        let device = match self {
            DeviceChoice::Cpu | DeviceChoice::CpuF64 => Ok(Device::Cpu),
            DeviceChoice::Cuda(_) if !cuda_is_available() => return Err(self.not_built("cuda")),
            DeviceChoice::Metal(_) if !metal_is_available() => return Err(self.not_built("metal")),
            DeviceChoice::Cuda(number) => Device::new_cuda(number),
            DeviceChoice::Metal(number) => Device::new_metal(number),
        };
        let device = device.map_err(|error| KernelError::Device {
            device: self.to_string(),
            reason: error.to_string(),
        })?;
        let wide = self == DeviceChoice::CpuF64;
        Ok(Placement {
            device,
            dtype: if wide { DType::F64 } else { DType::F32 },
            shares_rows: false,
        })
    }

    fn not_built(self, feature: &'static str) -> KernelError {
        KernelError::DeviceNotBuilt {
            device: self.to_string(),
            feature,
        }
    }
}

/// The device of a model's tensors, and their precision.
#[derive(Debug, Clone)]
pub struct Placement {
    device: Device,
    dtype: DType,
    shares_rows: bool,
}

impl Placement {
    /// Main memory, in f32.
    pub fn cpu() -> Placement {
        Placement {
            device: Device::Cpu,
            dtype: DType::F32,
            shares_rows: false,
        }
    }

    /// The CPU, with layers whose rows all threads share.
    pub fn sharing_rows(&self) -> Placement {
        Placement {
            shares_rows: self.device.is_cpu() && self.dtype == DType::F32,
            ..self.clone()
        }
    }

    /// Do all threads share the rows of each layer?
    pub fn shares_rows(&self) -> bool {
        self.shares_rows
    }

    /// Do layers run on one thread each, so that images should run side by side?
    pub fn runs_side_by_side(&self) -> bool {
        self.device.is_cpu() && self.dtype == DType::F32 && !self.shares_rows
    }

    /// Bytes of main memory per number of a tensor; 0 if the device has its own memory.
    pub fn bytes_in_main_memory(&self) -> u64 {
        match self.device.is_cpu() {
            true => self.dtype.size_in_bytes() as u64,
            false => 0,
        }
    }

    /// The batch sizes: `side_by_side` items on one thread each, or `large` batches one after the other on a device
    /// that parallelises by itself.
    pub fn batches(&self, side_by_side: usize, large: usize) -> Batches {
        match self.runs_side_by_side() {
            true => Batches::SideBySide(side_by_side),
            false => Batches::OneByOne(large),
        }
    }

    /// Copies f32 values to the device.
    pub fn tensor(&self, values: Vec<f32>, shape: impl Into<candle_core::Shape>) -> EngineResult<Tensor> {
        match self.dtype {
            DType::F64 => {
                let values: Vec<f64> = values.into_iter().map(f64::from).collect();
                Tensor::from_vec(values, shape.into(), &self.device)
            }
            _ => Tensor::from_vec(values, shape.into(), &self.device)?.to_dtype(self.dtype),
        }
    }
}

/// The largest batch size, and how batches run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batches {
    /// Batches run on all threads, each on one.
    SideBySide(usize),
    /// Batches run one after the other, each on the whole device, and are split if the device lacks memory.
    OneByOne(usize),
}

impl Batches {
    /// Largest number of items in a batch.
    pub fn size(self) -> usize {
        match self {
            Batches::SideBySide(size) | Batches::OneByOne(size) => size,
        }
    }

    /// Runs every batch. If a device lacks memory for one, it is split into several parts.
    pub fn run<T: Sync, R: Send, E: MayLackMemory + Send>(
        self,
        batches: &[&[T]],
        run: impl Fn(&[T]) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        match self {
            Batches::SideBySide(_) => batches.par_iter().map(|batch| run(batch)).collect(),
            Batches::OneByOne(_) => {
                let parts = batches.iter().map(|batch| in_parts(batch, &run));
                Ok(parts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
            }
        }
    }
}
