//! What most of these tests use.

pub(crate) use crate::golden_values::*;
pub(crate) use crate::synthetic::{mixed, noise, prepared};
pub(crate) use neurogauge_alignment::study::*;
pub(crate) use neurogauge_alignment::*;
pub(crate) use neurogauge_core::synthetic::Synthetic;
pub(crate) use neurogauge_core::*;
pub(crate) use rayon::prelude::*;
pub(crate) use serde_json::Value;
pub(crate) use std::collections::BTreeMap;
