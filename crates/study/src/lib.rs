//! `neurogauge study`: the SEED paper's tables and figures for several systems.
//!
//! [`study`] scores every system ([`neurogauge::score`]), compares the systems ([`neurogauge::compare`]), compares
//! metrics with human ratings if there are any ([`neurogauge_meta`]), repeats that with other components, and lists
//! pairs that show how systems fail. This crate makes the tables and figures, and decides which ones the inputs allow.
//!
//! The stimuli are observed once: each run uses earlier runs' observations of the same images. A study that was stopped
//! continues where it stopped, with the same bits.

mod agreement;
mod at_hand;
mod audited;
mod basic;
mod basic_config;
mod check;
mod choices;
mod classes;
mod config;
mod dry_run;
mod exhibits;
mod group_cases;
mod index;
mod pair_cases;
mod paper_item;
mod pooled;
mod published;
mod rated;
mod record;
mod rows;
mod scoring;
mod shown_metrics;
mod study;
mod systems;
mod variants;

pub use basic_config::{BasicConfiguration, BasicStudy};
pub use choices::{ComponentChoice, ComponentChoices};
pub use config::{ExampleOptions, MetricGroup, StudyAudit, StudyClusters, StudyConfig, StudyRatings, StudySystem};
pub use paper_item::PaperItem;
pub use record::{Study, StudyRecord};
pub use study::study;
