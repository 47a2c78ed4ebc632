//! Results of clips alongside those of their frames.

use super::Dataset;
use crate::Error;
use crate::observations::Located;
use crate::selected::{MetricSource, Selection};
use neurogauge_core::Pair;
use neurogauge_core::pair::{Axis, item_of};
use neurogauge_formats::{Problem, features};
use neurogauge_metrics::Compute;
use std::collections::{HashMap, HashSet};

impl Dataset {
    /// Are the pairs frames of clips?
    pub(crate) fn has_frames(&self) -> bool {
        self.axes.contains(&Axis::Frame)
    }

    /// Fails if a metric compares the frames of clips but its features have a row for each clip.
    pub(crate) fn refuse_clips_without_frames(&self, selection: &Selection, located: &Located) -> Result<(), Error> {
        for selected in &selection.metrics {
            let (Compute::Frames { .. }, MetricSource::Features(model, _)) =
                (&selected.metric.compute, &selected.source)
            else {
                continue;
            };
            let features = self.features_of(model);
            let folders = located.folders_of_features();
            let known: HashSet<&String> = self.stems.iter().collect();
            if let (Some(features), Some(folders)) = (features, folders)
                && features.pairs.iter().any(|pair| !known.contains(&pair.stem))
            {
                return Err(Problem::content(
                    "a row for each clip",
                    format!("a row for each frame, since {} compares the frames of a clip", selected.metric.spec.id),
                )
                .at(features::file_in(&folders.gt, model))
                .into());
            }
        }
        Ok(())
    }

    /// The positions of these pairs among those of the run. A pair of clips has the position of its first frame.
    pub(crate) fn places_of(&self, pairs: &[Pair]) -> Vec<usize> {
        let mut first: HashMap<&str, usize> = HashMap::new();
        for (place, stem) in self.stems.iter().enumerate() {
            first.insert(stem, place);
            if self.has_frames() {
                first.entry(item_of(stem, 1)).or_insert(place);
            }
        }
        let places = pairs.iter().map(|pair| first.get(pair.stem.as_str()));
        places.map(|place| place.copied().unwrap_or(0)).collect()
    }
}

/// The results of these pairs, for each pair of a run. For pairs of clips, each frame gets the result of its clip.
pub(crate) fn of_pairs<T: Clone>(stems: &[String], pairs: &[Pair], results: Vec<T>) -> Vec<T> {
    if stems.len() == pairs.len() {
        return results;
    }
    let of_clip: HashMap<&str, &T> = pairs.iter().map(|pair| pair.stem.as_str()).zip(&results).collect();
    let found = stems.iter().filter_map(|stem| of_clip.get(item_of(stem, 1)));
    found.map(|result| (*result).clone()).collect()
}
