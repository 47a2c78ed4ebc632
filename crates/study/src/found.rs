//! The results of a study, from which its exhibits are made.

use crate::config::StudyConfig;
use crate::rated::{self, Rated};
use crate::scoring::System;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::stats::meta::StatisticEstimate;
use neurogauge::{Error, RunSettings};
use neurogauge_audit::Audit;
use serde::Serialize;
use serde_json::{Value, json};

/// The results of a study.
pub(crate) struct Found<'a> {
    pub(crate) config: &'a StudyConfig,
    pub(crate) settings: &'a RunSettings,
    pub(crate) systems: &'a [System],
    pub(crate) rated: &'a [Rated<'a>],
    pub(crate) components: &'a [ComponentRun],
    pub(crate) variants: &'a [VariantRun],
    pub(crate) audits: &'a [Audited<'a>],
}

/// SEED of a system under one combination of choices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComponentRun {
    pub system: String,
    /// The names of the choices.
    pub label: String,
    /// The chosen detector, if there is a choice.
    pub detector: Option<String>,
    pub captioner: Option<String>,
    pub text_encoder: Option<String>,
    /// Path of its run, relative to the study's folder.
    pub run: String,
    pub fingerprint: String,
    /// Does it use a placeholder model?
    pub stand_in: bool,
    /// Number of rated pairs with a score.
    pub n_items: usize,
    /// How well it agrees with people.
    pub statistics: Vec<StatisticEstimate>,
}

/// Object F1 of a rated system in one variant.
pub(crate) struct VariantRun {
    pub(crate) system: String,
    pub(crate) variant: Variant,
    /// What the variant counts.
    pub(crate) shown: &'static str,
    pub(crate) run: rated::Variant,
}

#[derive(Debug)]
pub(crate) struct Audited<'a> {
    pub(crate) system: &'a System,
    /// Path relative to the study's folder.
    pub(crate) place: String,
    pub(crate) audit: Audit,
}

/// An exhibit that lacks inputs.
pub(crate) fn needs(inputs: impl Into<String>) -> Result<Value, Error> {
    Ok(json!({"needs": inputs.into()}))
}

/// Headings of columns, with the places of their values in rows' lists.
pub(crate) fn headings(names: impl IntoIterator<Item = impl AsRef<str>>) -> Value {
    let named = names.into_iter().enumerate().map(|(at, name)| json!({"name": name.as_ref(), "at": at}));
    named.collect()
}

/// A number for every two things of one kind.
pub(crate) fn square(names: &[String], values: &[Vec<Option<f64>>]) -> Value {
    let cell = |(series, value): (&String, &Option<f64>)| json!({"series": series, "value": value});
    let row = |(name, values): (&String, &Vec<Option<f64>>)| json!({"name": name, "values": names.iter().zip(values).map(cell).collect::<Vec<_>>()});
    json!({"names": headings(names), "rows": names.iter().zip(values).map(row).collect::<Vec<_>>()})
}
