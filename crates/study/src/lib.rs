//! `neurogauge study`: the tables and figures of papers for several systems.
//!
//! [`study`] scores every system ([`neurogauge::score`]), compares the systems ([`neurogauge::compare`]), compares
//! metrics with human ratings if there are any ([`neurogauge_meta`]), repeats that with other components, and lists
//! pairs that show how systems fail. The papers' folders ([`neurogauge_exhibits`]) say which tables and figures are made
//! of it.
//!
//! The stimuli are observed once: each run uses earlier runs' observations of the same images. A study that was stopped
//! continues where it stopped, with the same bits.

mod agreement;
mod at_hand;
mod basic;
mod check;
mod config;
mod configurations;
mod pages;
mod pairs;
mod rated;
mod runs;
mod shown;
mod study;
mod systems;

pub use config::{ExampleOptions, MetricGroup, StudyAudit, StudyConfig, StudyRatings, StudySystem};
pub use configurations::{BasicConfiguration, BasicStudy, ComponentChoice, ComponentChoices};
pub use pages::Study;
pub use study::study;
