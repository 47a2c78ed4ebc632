//! The demo's recovery profile, of simulated subjects and models whose true relation is known.

use neurogauge::align::{AlignConfig, AlignRequest, AlignSettings, Alignment, SimulatedSize, SourceSummary};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, Progress, Report, RunSettings};

/// Only a few random partitions, so that a first look takes seconds.
const PARTITIONS: usize = 4;
const NULL_DRAWS: usize = 4;

/// Aligns three simulated subjects with each other and with two simulated models, in the folder `settings.out`. The
/// trained model spans all dimensions that the subjects share, the untrained one only the two strongest.
pub(crate) fn recovery(settings: &RunSettings, progress: &dyn Progress) -> Result<Alignment, Error> {
    let request = AlignRequest {
        config: AlignConfig {
            settings: AlignSettings {
                partitions: PARTITIONS,
                null: NULL_DRAWS,
                controls: Vec::new(),
                ..AlignSettings::default()
            },
            ..AlignConfig::default()
        },
        simulated: Some(SimulatedSize::Miniature),
    };
    let alignment = request.run(settings, progress)?;
    alignment.refuse_other(&settings.out)?;
    alignment.write(&settings.out, settings.latex)?;
    Ok(alignment)
}

/// The table that the demo prints.
pub(crate) fn table(alignment: &Alignment) -> Table {
    let note = "Simulated subjects share six dimensions; the trained model has all of them, the untrained one the two strongest. \
                Accuracy: Pearson's r of predicted and measured responses to other stimuli. Recovery: how much of the target's \
                reproducible dimensions a source covers, above what a source without information covers";
    Table::of("Response dimensions that a source recovers (align)", &alignment.record.summary.sources)
        .column("source", |source: &&SourceSummary| Cell::text(&source.source))
        .column("accuracy", |source| Cell::estimate(source.accuracy.mean, source.accuracy.interval))
        .column("recovery", |source| Cell::estimate(source.corrected.mean, source.corrected.interval))
        .noted(vec![note.to_owned()])
}
