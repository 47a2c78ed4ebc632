//! The stimuli with the highest and the lowest scores on each direction, as contact sheets.

use super::UnitStimuli;
use neurogauge::core::StimulusId;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::report::figures::{ContactSheet, SheetRow};
use neurogauge::{Error, Figures, file_name};
use std::path::Path;

/// The prefix of figure names; the target unit follows.
pub(super) const STEM: &str = "stimuli_of_";
/// Number of images in a row.
const N_SHOWN: usize = 8;
/// Number of directions in a sheet.
const N_DIRECTIONS: usize = 4;
/// Later directions with less weight are probably chance and not shown.
const LEAST_WEIGHT: f64 = 0.1;

/// One sheet for each target unit; empty without images.
pub(super) fn figures(units: &[UnitStimuli], stimuli: &[StimulusId], images: Option<&Path>) -> Result<Figures, Error> {
    let mut figures = Figures::default();
    let Some(path) = images else {
        return Ok(figures);
    };
    let images = ImageSource::open(path)?;
    for unit in units.iter().filter(|unit| !unit.directions.is_empty()) {
        let sheet = sheet(unit, stimuli, &images)?;
        let name = format!("{STEM}{}", file_name(&unit.unit.to_string()));
        figures.add_sheet(name, sheet.draw());
    }
    Ok(figures)
}

fn sheet(unit: &UnitStimuli, stimuli: &[StimulusId], images: &ImageSource) -> Result<ContactSheet, Error> {
    let n_shown = N_SHOWN.min(stimuli.len() / 2).max(1);
    let mut rows = Vec::new();
    let directions = unit.directions.iter().take(N_DIRECTIONS).enumerate();
    let shown = directions.take_while(|(place, own)| *place == 0 || own.weight >= LEAST_WEIGHT);
    for (place, direction) in shown {
        let mut order: Vec<usize> = (0..direction.scores.len()).collect();
        // Equal scores keep the order of the stimuli.
        order.sort_by(|&one, &other| direction.scores[other].total_cmp(&direction.scores[one]));
        let reliability = match direction.reliability {
            Some(value) => format!(", reliability {value:.2}"),
            None => String::new(),
        };
        let highest = order[..n_shown].to_vec();
        let lowest: Vec<usize> = order[order.len() - n_shown..].iter().rev().copied().collect();
        for (end, chosen) in [("highest", highest), ("lowest", lowest)] {
            let shown = chosen.iter().map(|&stimulus| {
                let wanted = &stimuli[stimulus];
                let image = images.stems().iter().position(|stem| StimulusId::from(stem.as_str()) == *wanted);
                image.map(|image| images.load_shown(image)).transpose()
            });
            let ends =
                [chosen.first(), chosen.last()].map(|end| end.map_or(f64::NAN, |&stimulus| direction.scores[stimulus]));
            rows.push(SheetRow {
                images: shown.collect::<Result<_, _>>()?,
                lines: vec![
                    format!("direction {}, {end}", place + 1),
                    format!("weight {:.2}{reliability}", direction.weight),
                    format!("scores {:.1} to {:.1}", ends[0], ends[1]),
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
