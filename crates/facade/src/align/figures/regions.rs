//! Recovery in each region, on a schematic of the hemispheres.

use crate::align::{Alignment, Recovered, SourceSummary, UnitScore};
use crate::figure_files::Drawn;
use itertools::Itertools;
use neurogauge_alignment::study::OTHER_SUBJECTS;
use neurogauge_report::figures::{RegionMap, RegionPanel};
use neurogauge_stats::mean;

/// The other subjects and the model with the highest score; `None` for a single region.
pub(super) fn of_regions(alignment: &Alignment) -> Drawn {
    let has_null = alignment.record.summary.null_draws > 0;
    let value = |own: &SourceSummary| match has_null {
        true => own.corrected.mean,
        false => own.profile_mean()?.mean,
    };
    let models = alignment.record.summary.sources.iter().filter(|own| own.source != OTHER_SUBJECTS);
    let best = models.filter_map(|own| Some((own, value(own)?))).max_by(|(_, a), (_, b)| a.total_cmp(b));
    let of_entry = |own: &Recovered| match has_null {
        true => own.main_null()?.corrected,
        false => own.profile_mean(),
    };
    let regions = alignment.run.units.iter().map(|own| (&own.unit.hemisphere, &own.unit.roi)).unique().collect_vec();
    let panel = |title: &str, is_own: &dyn Fn(&UnitScore) -> bool| {
        let of_region = |&(hemisphere, roi): &(&String, &String)| {
            let entries = alignment.unit_scores.iter().filter(|entry| is_own(entry));
            let own = entries.filter(|entry| entry.unit.hemisphere == *hemisphere && entry.unit.roi == *roi);
            let values = own.filter_map(|entry| of_entry(entry.recovered()?)).collect_vec();
            (hemisphere.clone(), roi.clone(), mean(values.iter().copied()))
        };
        RegionPanel {
            title: title.to_owned(),
            regions: regions.iter().map(of_region).collect(),
        }
    };
    let has_donors = alignment.unit_scores.iter().any(|entry| entry.donor);
    let donors = has_donors.then(|| panel(OTHER_SUBJECTS, &|entry| entry.donor));
    let best = best.map(|(own, _)| panel(&own.source, &|entry| !entry.donor && entry.source == own.source));
    let score = if has_null {
        "Corrected ProfileMean"
    } else {
        "ProfileMean"
    };
    let figure = RegionMap {
        title: "Recovery by region".to_owned(),
        panels: donors.into_iter().chain(best).collect(),
        decimals: 2,
        caption: format!(
            "{score}, mean over subjects, of other subjects and of the source with the highest score. A schematic, no atlas: \
             the back of the head is between the left and the right hemisphere, or on the left of a single one; parietal cortex is above, \
             ventral cortex below. Regions without a place in it stand below."
        ),
    };
    (regions.len() > 1 && !figure.panels.is_empty()).then(|| figure.draw())
}
