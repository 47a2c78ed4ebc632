//! The stimuli with the highest and the lowest scores on each direction, as contact sheets.

use super::{StimulusScores, UnitStimuli};
use itertools::Itertools;
use neurogauge::core::StimulusId;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::report::figures::{ContactSheet, SheetRow};
use neurogauge::{Error, Figures, file_name, is_sheet};

/// The prefix of figure names; the target unit follows.
const STEM: &str = "stimuli_of_";
/// Number of images in a row.
const N_SHOWN: usize = 8;
/// Number of directions in a sheet.
const N_DIRECTIONS: usize = 4;
/// Later directions with less weight are probably chance and not shown.
const LEAST_WEIGHT: f64 = 0.1;

impl StimulusScores {
    /// Adds a sheet for each target unit; none without images.
    pub(crate) fn add_sheets(&self, figures: &mut Figures) -> Result<(), Error> {
        let Some(images) = self.images.as_deref().map(ImageSource::open).transpose()? else {
            return Ok(());
        };
        for unit in self.units.iter().filter(|unit| !unit.directions.is_empty()) {
            let name = format!("{STEM}{}", file_name(&unit.unit.to_string()));
            figures.add_sheet(name, sheet(unit, &self.stimuli, &images)?.draw());
        }
        Ok(())
    }

    pub(crate) fn is_sheet(stem: &str, ending: &str) -> bool {
        stem.starts_with(STEM) && is_sheet(ending)
    }
}

fn sheet(unit: &UnitStimuli, stimuli: &[StimulusId], images: &ImageSource) -> Result<ContactSheet, Error> {
    let n_shown = N_SHOWN.min(stimuli.len() / 2).max(1);
    let mut rows = Vec::new();
    for (place, direction) in unit.directions.iter().enumerate().take(N_DIRECTIONS) {
        if place > 0 && direction.weight < LEAST_WEIGHT {
            break;
        }
        // Equal scores keep the order of the stimuli.
        let score = |stimulus: &usize| direction.scores[*stimulus];
        let order = (0..direction.scores.len())
            .sorted_by(|one, other| score(other).total_cmp(&score(one)))
            .collect_vec();
        let reliability = direction.reliability.map(|value| format!(", reliability {value:.2}")).unwrap_or_default();
        for (end, order) in [("highest", order.clone()), ("lowest", order.into_iter().rev().collect())] {
            let chosen = &order[..n_shown];
            let shown = chosen.iter().map(|&stimulus| {
                let wanted = &stimuli[stimulus];
                let image = images.stems().iter().position(|stem| StimulusId::from(stem.as_str()) == *wanted);
                image.map(|image| images.load_shown(image)).transpose()
            });
            rows.push(SheetRow {
                images: shown.collect::<Result<_, _>>()?,
                lines: vec![
                    format!("direction {}, {end}", place + 1),
                    format!("weight {:.2}{reliability}", direction.weight),
                    format!("scores {:.1} to {:.1}", score(&chosen[0]), score(&chosen[n_shown - 1])),
                ],
            });
        }
    }
    Ok(ContactSheet {
        title: unit.unit.to_string(),
        columns: (1..=n_shown).map(|place| place.to_string()).collect(),
        rows,
        caption: format!(
            "Stimuli by the score of their mean response on directions of the reference of all stimuli, from either end; \
             directions with a weight of {LEAST_WEIGHT} or more. A direction has no sign of its own: its largest part is \
             positive."
        ),
    })
}
