//! Subspaces and shapes of curves, by architecture and state (Figures 11 D and 12 D).

use crate::aligned::{Aligned, shape_distance};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::alignment::UnitEstimate;
use serde::Serialize;

/// All models with an architecture and state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArchitectureShape {
    /// The architecture, or the model's name if it has none.
    pub architecture: String,
    /// `pretrained` or `untrained`.
    pub state: &'static str,
    /// Selected rank of the source's subspace.
    pub selected_rank: UnitEstimate,
    pub effective_rank: UnitEstimate,
    /// ShapeDist; undefined without other subjects.
    pub shape_distance: UnitEstimate,
}

/// One for each architecture and state, in the order of the configuration.
pub(super) fn shapes(aligned: &Aligned) -> Result<Vec<ArchitectureShape>, Error> {
    let name_of = |entry: &UnitScore| {
        let model = aligned.model_of(entry)?;
        Some(model.architecture.clone().unwrap_or(model.name.clone()))
    };
    let groups = aligned.entries.iter().filter_map(|entry| Some((name_of(entry)?, aligned.kind_of(entry))));
    let found = groups.unique().map(|(architecture, kind)| {
        let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| {
            let own = aligned.of_kind(kind).filter(|entry| name_of(entry).as_ref() == Some(&architecture));
            aligned.mean_of(own, value)
        };
        Ok(ArchitectureShape {
            state: kind.label(),
            selected_rank: of(&|entry| Some(entry.selected_rank))?,
            effective_rank: of(&|entry| entry.effective_rank)?,
            shape_distance: of(&shape_distance)?,
            architecture,
        })
    });
    found.collect()
}
