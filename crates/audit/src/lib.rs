//! `neurogauge audit`: whether a decoder reconstructs what was seen, or finds the nearest thing that it was trained on.
//!
//! Shirakawa et al. (2025) showed that high scores can come from test stimuli that resemble training stimuli, from
//! decoders that know only a cluster of stimuli, and from the choice of the best of several samples. [`audit()`]
//! answers these questions from features of the training stimuli, of the test stimuli, and of what was decoded. Each
//! [`Section`] has a question, numbers with intervals and values to compare them with, and an answer in words. There is
//! no overall grade.
//!
//! - [`ceiling`]: the identification accuracy of a decoder that knows only the cluster, in closed form.
//! - [`kmeans`]: seeded clusters of features.
//! - [`subspace`]: the span of a set of features, and the share of other features in it.

mod clusters;
mod collapse;
mod controls;
mod copies;
mod decoding;
mod feature_set;
mod folds;
mod identification;
mod items;
mod overlap;
mod record;
mod report;
mod run;
mod samples;
mod section;

pub mod ceiling;
pub mod kmeans;
pub mod subspace;

pub use identification::two_way_among;
pub use record::{AuditRecord, AuditRequest, ClustersFrom, SampleRequest};
pub use run::{Audit, audit};
pub use section::{Comparison, Line, Section};
