//! The values printed in the recovery paper for the Natural Scenes Dataset's shared images, to compare with an
//! alignment's.
//!
//! Values that cannot be attributed to the paper's named sources are left out: the regularisations of Appendix B come
//! from twelve models.

use crate::preset::{MODELS, Preset, PresetRequest};
use neurogauge::align::{AlignConfig, SourceFiles};
use neurogauge::formats::nsd::NsdFiles;
use std::path::Path;

/// The source of the values.
pub(crate) const SOURCE: &str = "Nakamura et al. (2026), arXiv 2605.20127v1";
/// The data behind the values.
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

/// A value from the text or from Table 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PublishedValue {
    /// Its path in the alignment's records.
    pub(crate) path: &'static str,
    /// Its place in the paper.
    pub(crate) place: &'static str,
    pub(crate) quantity: &'static str,
    pub(crate) printed: Printed,
    /// The ends of its interval.
    pub(crate) interval: Option<(Printed, Printed)>,
}

/// Does an alignment ask the paper's question about the same kind of data? It may have a subset of the paper's
/// subjects, sessions and models.
pub(crate) fn is_comparable(config: &AlignConfig) -> bool {
    let decided = |own: &NsdFiles| (own.experiment, own.space, own.betas.clone(), own.repeats, own.rois.clone());
    let paper = PresetRequest::new(Preset::NsdCore, Path::new("nsd")).config().ok().and_then(|config| config.nsd);
    paper.zip(config.nsd.as_ref()).is_some_and(|(paper, own)| decided(own) == decided(&paper))
}

/// The id of the paper's model that a source equals, with the paper's layers: its row of Table 5.
pub(crate) fn id_of(source: &SourceFiles) -> Option<&'static str> {
    let id = source.model.as_deref()?;
    let base = id.split("-untrained-").next()?;
    let model = MODELS.iter().find(|model| model.id == base)?;
    let layers = model.layers.iter().map(|layer| format!("{layer}:mean"));
    let is_same = layers.eq(source.layers.iter().cloned());
    lines(MODEL_VALUES).skip(1).map(|fields| fields[0]).find(|row| *row == id).filter(|_| is_same)
}

/// A row of Table 4 (for an architecture) or 5 (for a model): its columns, each with its number if one is printed.
pub(crate) fn row(place: &str, of: &str) -> Vec<(&'static str, Option<Printed>)> {
    let mut rows = lines(if place == "Table 4" { SEED_VALUES } else { MODEL_VALUES });
    let columns = rows.next().into_iter().flatten().skip(1);
    let row = rows.find(|fields| fields[0] == of).into_iter().flatten().skip(1);
    columns.zip(row.map(Printed::of)).collect()
}

/// The values in the text and in Table 3.
pub(crate) fn values() -> impl Iterator<Item = PublishedValue> {
    lines(VALUES).skip(1).filter_map(|fields| {
        let &[path, place, quantity, value, low, high] = fields.as_slice() else {
            return None;
        };
        Some(PublishedValue {
            path,
            place,
            quantity,
            printed: Printed::of(value)?,
            interval: Printed::of(low).zip(Printed::of(high)),
        })
    })
}

/// The fields of each line.
pub(crate) fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().map(|line| line.split('\t').collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::collections::BTreeSet;

    fn numbers(place: &str, of: &str) -> Vec<Option<f64>> {
        row(place, of).into_iter().map(|(_, printed)| Some(printed?.value)).collect()
    }

    #[test]
    fn values_are_those_that_the_paper_prints() {
        let printed = |numbers: &[f64]| numbers.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(numbers("Table 5", "robust_resnet50"), printed(&[0.312, 0.811, 0.902, 0.043]));
        assert_eq!(numbers("Table 5", "vit_b_16-untrained-42"), printed(&[0.174, 0.512, 0.570, 0.204]));
        assert!(row("Table 5", "vit_b_16-untrained-0").is_empty());
        assert_eq!(numbers("Table 4", "vgg16"), printed(&[0.720, 0.568, 0.053, 0.498, 0.626, 0.152, 0.349]));
        assert_eq!(numbers("Table 4", "overall")[3], None);
        let value = |path: &str| values().find(|own| own.path == path).unwrap();
        for (path, printed, decimals) in [
            ("references/cumulative/2", 0.886, 3),
            ("references/cumulative/9", 0.974, 3),
            ("summary/sources/source=other subjects/curve/0", 0.959, 3),
            ("summary/sources/source=other subjects/curve/9", 0.868, 3),
            ("summary/balanced/soft", 0.994, 3),
            ("summary/balanced/hard", 0.98, 3),
            ("main/summary/balanced/shift", -0.0015, 4),
            ("main/summary/matched/limit=0.03/pairs/n", 94.0, 0),
        ] {
            let found = value(path).printed;
            assert_eq!((found.value, found.decimals), (printed, decimals), "{path}");
        }
        let near = "main/pair_categories/limit=0.01&pairs=pretrained and untrained, same architecture/difference";
        let (low, high) = value(near).interval.unwrap();
        assert_eq!((low.value, high.value), (0.1, 0.199));
    }

    #[test]
    fn every_line_can_be_read() {
        assert_eq!(values().count(), VALUES.lines().count() - 1);
        let paths: BTreeSet<&str> = values().map(|own| own.path).collect();
        assert_eq!(paths.len(), values().count());
        for fields in lines(MODEL_VALUES).skip(1) {
            assert_eq!(numbers("Table 5", fields[0]).into_iter().flatten().count(), 4, "{fields:?}");
        }
        // Table 5 has a row for each model, and for each untrained architecture.
        let untrained = MODELS.iter().filter(|model| !model.seeds.is_empty());
        assert_eq!(lines(MODEL_VALUES).count() - 1, MODELS.len() + untrained.count());
    }

    /// Tables 4 and 5 print some numbers twice, and some numbers follow from others.
    #[test]
    fn tables_agree_with_one_another() {
        for fields in lines(SEED_VALUES).skip(1).filter(|own| own[0] != "overall") {
            let own: Vec<f64> = numbers("Table 4", fields[0]).into_iter().flatten().collect();
            let (pretrained, mean, gap) = (own[0], own[1], own[5]);
            assert_eq!(Some(pretrained), numbers("Table 5", fields[0])[1], "{fields:?}");
            assert!((pretrained - mean - gap).abs() < 1.1e-3, "{fields:?}");
        }
    }
}
