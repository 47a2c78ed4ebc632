//! The values printed in the recovery paper for the Natural Scenes Dataset's shared images, to show beside the same
//! quantities of an alignment.
//!
//! Values of sources that the paper does not name are left out: the regularisations of Appendix B come from twelve
//! models.

use crate::preset::{MODELS, Preset, PresetRequest};
use neurogauge::align::{AlignConfig, SourceFiles};
use neurogauge::formats::nsd::NsdFiles;
use std::path::Path;

/// The source of the values.
pub(crate) const SOURCE: &str = "Nakamura et al. (2026), arXiv 2605.20127v1";
/// The data that they come from.
pub(crate) const STUDY: &str = "8 subjects, 515 images, 112 target units";

const MODEL_VALUES: &str = include_str!("models.tsv");
const SEED_VALUES: &str = include_str!("seeds.tsv");
const VALUES: &str = include_str!("values.tsv");

/// A printed number with its decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    pub(crate) decimals: usize,
}

impl Printed {
    fn of(digits: &str) -> Option<Printed> {
        let decimals = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
        let value = digits.parse().ok()?;
        Some(Printed { value, decimals })
    }
}

/// A value of the text or of Table 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PublishedValue {
    pub(crate) key: &'static str,
    /// Its place in the paper.
    pub(crate) place: &'static str,
    pub(crate) quantity: &'static str,
    pub(crate) printed: Printed,
    /// The ends of its interval.
    pub(crate) interval: Option<(Printed, Printed)>,
}

/// Does an alignment ask the paper's question of the same kind of data? It may have a subset of the paper's subjects,
/// sessions and models.
pub(crate) fn is_comparable(config: &AlignConfig) -> bool {
    let of_preset = PresetRequest {
        preset: Preset::NsdCore,
        nsd: Path::new("nsd"),
        stimuli: None,
        atlas: None,
        subjects: &[],
        sessions: None,
        models: &[],
    };
    let Ok(Some(paper)) = of_preset.config().map(|config| config.nsd) else {
        return false;
    };
    let decided = |own: &NsdFiles| {
        let (betas, rois) = (own.betas.clone(), own.rois.clone());
        (own.experiment, own.space, betas, own.repeats, rois)
    };
    config.nsd.as_ref().is_some_and(|own| decided(own) == decided(&paper))
}

/// The paper's model that a source is, with the paper's layers: its row of Table 5.
pub(crate) fn id_of(source: &SourceFiles) -> Option<&'static str> {
    let id = source.model.as_deref()?;
    let base = id.split("-untrained-").next()?;
    let model = MODELS.iter().find(|model| model.id == base)?;
    let layers = model.layers.iter().map(|layer| format!("{layer}:mean"));
    let rows = lines(MODEL_VALUES).skip(1).map(|fields| fields[0]);
    let is_same = layers.eq(source.layers.iter().cloned());
    rows.into_iter().find(|row| *row == id).filter(|_| is_same)
}

/// Accuracy, ProfileMean, BrainRefScore and ShapeDist of Table 5.
pub(crate) fn of_model(id: &str) -> Option<[Printed; 4]> {
    let line = lines(MODEL_VALUES).find(|fields| fields[0] == id)?;
    let at = |place: usize| Printed::of(line.get(place)?);
    Some([at(1)?, at(2)?, at(3)?, at(4)?])
}

/// A row of Table 4: pretrained, mean and SD over seeds, lowest, highest, gap, SD over gap; `None` if the paper prints
/// none.
pub(crate) fn of_seeds(architecture: &str) -> Option<[Option<Printed>; 7]> {
    let line = lines(SEED_VALUES).find(|fields| fields[0] == architecture)?;
    Some(std::array::from_fn(|place| Printed::of(line.get(place + 1)?)))
}

/// The values of the text and of Table 3.
pub(crate) fn values() -> impl Iterator<Item = PublishedValue> {
    lines(VALUES).skip(1).filter_map(|fields| {
        let &[key, place, quantity, value, low, high] = fields.as_slice() else {
            return None;
        };
        Some(PublishedValue {
            key,
            place,
            quantity,
            printed: Printed::of(value)?,
            interval: Printed::of(low).zip(Printed::of(high)),
        })
    })
}

fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().map(|line| line.split('\t').collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::collections::BTreeSet;

    fn all(printed: [Printed; 4]) -> [f64; 4] {
        printed.map(|own| own.value)
    }

    #[test]
    fn values_are_those_that_the_paper_prints() {
        let robust = of_model("robust_resnet50").unwrap();
        assert_eq!(all(robust), [0.312, 0.811, 0.902, 0.043]);
        let untrained = of_model("vit_b_16-untrained-42").unwrap();
        assert_eq!(all(untrained), [0.174, 0.512, 0.570, 0.204]);
        assert_eq!(of_model("vit_b_16-untrained-0"), None);
        let [pretrained, mean, sd, lowest, .., ratio] = of_seeds("vgg16").unwrap();
        let numbers = [pretrained, mean, sd, lowest, ratio].map(|own| own.unwrap().value);
        assert_eq!(numbers, [0.720, 0.568, 0.053, 0.498, 0.349]);
        assert_eq!(of_seeds("overall").unwrap()[3], None);
        let value = |key: &str| values().find(|own| own.key == key).unwrap();
        for (key, printed, decimals) in [
            ("weight_3", 0.886, 3),
            ("weight_10", 0.974, 3),
            ("brains_k1", 0.959, 3),
            ("brains_k10", 0.868, 3),
            ("balanced_soft", 0.994, 3),
            ("balanced_hard", 0.98, 3),
            ("balanced_shift", -0.0015, 4),
            ("limit_0.03_n", 94.0, 0),
        ] {
            let found = value(key).printed;
            assert_eq!((found.value, found.decimals), (printed, decimals), "{key}");
        }
        let (low, high) = value("near_difference").interval.unwrap();
        assert_eq!((low.value, high.value), (0.1, 0.199));
    }

    #[test]
    fn every_line_can_be_read() {
        assert_eq!(values().count(), VALUES.lines().count() - 1);
        let keys: BTreeSet<&str> = values().map(|own| own.key).collect();
        assert_eq!(keys.len(), values().count());
        for fields in lines(MODEL_VALUES).skip(1) {
            assert!(of_model(fields[0]).is_some(), "{fields:?}");
        }
        // Table 5 has a row of each model, and of each architecture untrained.
        let untrained = MODELS.iter().filter(|model| !model.seeds.is_empty());
        let n_rows = MODELS.len() + untrained.count();
        assert_eq!(lines(MODEL_VALUES).count() - 1, n_rows);
    }

    /// Tables 4 and 5 print some numbers twice, and some follow from others.
    #[test]
    fn tables_agree_with_one_another() {
        for fields in lines(SEED_VALUES).skip(1).filter(|own| own[0] != "overall") {
            let [pretrained, mean, .., gap, _] = of_seeds(fields[0]).unwrap();
            let [pretrained, mean, gap] = [pretrained, mean, gap].map(|own| own.unwrap().value);
            let [_, in_table_5, ..] = of_model(fields[0]).unwrap();
            assert_eq!(pretrained, in_table_5.value, "{fields:?}");
            assert!((pretrained - mean - gap).abs() < 1.1e-3, "{fields:?}");
        }
    }
}
