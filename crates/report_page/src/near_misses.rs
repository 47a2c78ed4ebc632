//! The near misses of each system: categories that are missing while another member of the supercategory is present.

use crate::document::NearMisses;
use crate::inputs::{Inputs, System, places};
use indexmap::IndexSet;
use neurogauge::core::{Finding, Outcome, Side};
use neurogauge::formats::item_source::ItemSource;
use neurogauge::metrics::Taxonomy;
use neurogauge::metrics::decoding::near_miss_categories::near_miss_categories;

/// The metric that counts these near misses.
const RATE: &str = "snm";

/// The near misses of each system; `None` if its run lacks the rate, or the detections behind it.
pub(crate) fn of_systems(inputs: &Inputs, findings: &mut Vec<Finding>) -> Vec<Option<NearMisses>> {
    let of_system = |system: &System| {
        let rates = system.run.scores.column(RATE)?;
        match of_system(inputs, system, rates) {
            Ok(found) => Some(found),
            Err(reason) => {
                let message = format!("its near misses are not shown: {reason}");
                let subject = system.name.clone();
                findings.push(Finding::warning("near_misses_not_shown", subject, message));
                None
            }
        }
    };
    inputs.systems.iter().map(of_system).collect()
}

fn of_system(inputs: &Inputs, system: &System, rates: &[Outcome]) -> Result<NearMisses, String> {
    let sides = system.reopened.detections.as_ref().ok_or("the detections are not there any more")?;
    let labels = sides.gt.labels();
    let taxonomy = Taxonomy::new(labels);
    let options = &system.run.record.request.options.near_miss;
    let of_side = |side: Side| places(&inputs.stems, sides.side(side).stems());
    let (gt, recon) = (of_side(Side::Gt), of_side(Side::Recon));
    let (mut names, mut groups) = (IndexSet::new(), Vec::new());
    let mut found = NearMisses::default();
    for (pair, place) in system.places.iter().enumerate() {
        let rate = place.and_then(|place| rates.get(place)?.as_ref().ok());
        let (Some(rate), Some(gt), Some(recon)) = (rate, gt[pair], recon[pair]) else {
            continue;
        };
        let load = |side: Side, place: usize| sides.side(side).load(place);
        let both = load(Side::Gt, gt).and_then(|gt| Ok((gt, load(Side::Recon, recon)?)));
        let (gt, recon) = both.map_err(|error| error.to_string())?;
        let missed = near_miss_categories(&gt, &recon, &taxonomy, options).map_err(|error| error.to_string())?;
        if missed.is_empty() != (*rate == 0.0) {
            return Err("the detections are not those that were scored".to_owned());
        }
        found.n_pairs += 1;
        let mut place = |category: usize| {
            let place = names.insert_full(taxonomy.name(category).replace('_', " ")).0;
            if place == groups.len() {
                groups.push(taxonomy.supercategory(category).unwrap_or(category));
            }
            place
        };
        for near in missed {
            let category = place(near.category);
            let instead = near.instead.into_iter().map(&mut place).collect();
            found.found.push((pair, category, instead));
        }
    }
    found.names = names.into_iter().collect();
    found.groups = groups;
    Ok(found)
}
