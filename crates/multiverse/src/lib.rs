//! `neurogauge multiverse`: the same pairs scored under the conventions of every released evaluation, or under every
//! combination of single options.
//!
//! A multiverse analysis (Steegen et al. 2016) computes a result under every defensible way to decide what the question
//! leaves open; a specification curve (Simonsohn et al. 2020) shows all results, sorted, with the choices behind each.
//! Here, the results are means of metrics, and the choices are conventions. [`multiverse()`] scores every system once
//! for each distinct set of options, as `neurogauge score` does, and summarises: a [`MetricUniverse`] for each metric
//! has the estimates, the share of their spread that each choice explains ([`main_effects`]), whether the [`Order`] of
//! systems changes, and which conventions come near to a published number ([`Nearest`]). A [`MultiversePlan`] shares
//! the runs among several processes.

mod choices;
mod convention;
mod effects;
mod estimates;
mod order;
mod plan;
mod record;
mod report;
mod run;

pub use choices::Choice;
pub use convention::Over;
pub use effects::{Effect, FactorLevels, main_effects};
pub use estimates::{ConventionRow, Scored};
pub use order::{Difference, Order, Reversal};
pub use plan::MultiversePlan;
pub use record::{MetricUniverse, MultiverseRecord, MultiverseRequest, Nearest};
pub use run::multiverse;
