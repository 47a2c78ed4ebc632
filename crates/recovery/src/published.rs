//! What the recovery paper prints for the Natural Scenes Dataset's shared images, to compare with an alignment's. Values
//! of no named source are left out: the regularisations of Appendix B come from twelve models.

use crate::preset::{PresetRequest, models};
use neurogauge::Error;
use neurogauge::align::{AlignConfig, SourceFiles};
use neurogauge::formats::nsd::NsdFiles;
use neurogauge::stats::quantile;
use neurogauge_exhibits::Paper;

/// The paper's folder: its exhibits and its published values. A test reads it.
pub(crate) fn paper() -> Result<&'static Paper, Error> {
    Paper::built_in("recovery")
}

/// Does an alignment ask the paper's question about the same kind of data? It may have a subset of the paper's
/// subjects, sessions and models.
pub(crate) fn is_comparable(config: &AlignConfig) -> bool {
    let decided = |own: &NsdFiles| (own.experiment, own.space, own.betas.clone(), own.repeats, own.rois.clone());
    let paper = PresetRequest::default().config().ok().and_then(|config| config.nsd);
    paper.zip(config.nsd.as_ref()).is_some_and(|(paper, own)| decided(own) == decided(&paper))
}

/// The id of the paper's model that a source equals, with the paper's layers: its row of Table 5.
pub(crate) fn id_of(source: &SourceFiles) -> Option<&'static str> {
    let model = models().ok()?.iter().find(|own| own["model"].as_str() == source.model.as_deref())?;
    model["model"].as_str().filter(|id| has_row(id) && model["layers"] == source.layers.join(" "))
}

/// Has Table 5 a row for a model?
pub(crate) fn has_row(id: &str) -> bool {
    paper().is_ok_and(|paper| paper.published("models").iter().any(|row| row["model"] == id))
}

/// The smallest and the largest region of the paper's target units (Appendix B).
const PAPERS_RANGE: (usize, usize) = (307, 1117);
const PAPERS_MEDIAN: f64 = 604.5;

/// Origin and sizes of regions in words, with numbers of vertices or voxels, and a caution about comparisons with the
/// paper's values if it has other sizes; `None` for other data than the Natural Scenes Dataset, or without sizes.
pub(crate) fn regions(config: &AlignConfig, sizes: &[usize]) -> Option<(String, Option<String>)> {
    let (labels, (low, high)) = (config.nsd.as_ref()?.label_pattern(), PAPERS_RANGE);
    let median = quantile(&sizes.iter().map(|&size| size as f64).collect::<Vec<_>>(), 0.5).ok()?;
    let (smallest, largest) = (sizes.iter().min()?, sizes.iter().max()?);
    let n_outside = sizes.iter().filter(|size| !(low..=high).contains(size)).count();
    let warning = format!(
        "regions of {n_outside} of {} target units are outside the paper's range of {low} to {high} (median \
         {PAPERS_MEDIAN}; here {median}), so they may be of another atlas than the paper's; `roi_labels` of [nsd], or \
         --atlas of a preset, takes another",
        sizes.len()
    );
    let words = format!("labels of {labels}, {smallest} to {largest} vertices or voxels, median {median}");
    Some((words, (n_outside > 0).then_some(warning)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    /// The row of a file of published values, without its name; `None` if there is no such row.
    fn numbers(file: &str, of: &str) -> Option<Vec<Option<f64>>> {
        let row = paper()
            .unwrap()
            .published(file)
            .iter()
            .find(|row| row.as_object().unwrap().values().next().unwrap() == of)?;
        let printed = row.as_object().unwrap().values().skip(1);
        Some(printed.map(|printed| Some(printed.as_str()?.parse().unwrap())).collect())
    }

    fn values() -> &'static [Value] {
        paper().unwrap().published("values")
    }

    #[test]
    fn values_are_those_that_the_paper_prints() {
        let printed = |numbers: &[f64]| Some(numbers.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(numbers("models", "robust_resnet50"), printed(&[0.312, 0.811, 0.902, 0.043]));
        assert_eq!(numbers("models", "vit_b_16-untrained-42"), printed(&[0.174, 0.512, 0.570, 0.204]));
        assert_eq!(numbers("models", "vit_b_16-untrained-0"), None);
        assert_eq!(numbers("seeds", "vgg16"), printed(&[0.720, 0.568, 0.053, 0.498, 0.626, 0.152, 0.349]));
        assert_eq!(numbers("seeds", "overall").unwrap()[3], None);
        let value = |path: &str| values().iter().find(|own| own["path"] == path).unwrap();
        for (path, printed) in [
            ("/paper/references/cumulative/2", "0.886"),
            ("/paper/references/cumulative/9", "0.974"),
            ("/align/sources/source=other subjects/curve/0", "0.959"),
            ("/align/sources/source=other subjects/curve/9", "0.868"),
            ("/align/balanced/soft", "0.994"),
            ("/align/balanced/hard", "0.980"),
            ("/paper/main_text/summary/balanced/shift", "-0.0015"),
            ("/paper/main_text/summary/matched/limit=0.03/pairs/n", "94"),
        ] {
            assert_eq!(value(path)["value"], printed, "{path}");
        }
        let near =
            "/paper/main_text/pair_categories/limit=0.01&pairs=pretrained and untrained, same architecture/difference";
        assert_eq!((&value(near)["low"], &value(near)["high"]), (&"0.100".into(), &"0.199".into()));
    }

    #[test]
    fn every_row_is_whole() {
        let paths: BTreeSet<&str> = values().iter().map(|own| own["path"].as_str().unwrap()).collect();
        assert_eq!(paths.len(), values().len());
        for own in values() {
            let is_number = |field: &str| own[field].as_str().is_some_and(|printed| printed.parse::<f64>().is_ok());
            assert!(is_number("value") && is_number("low") == is_number("high"), "{own}");
        }
        let models = paper().unwrap().published("models");
        for row in models {
            let name = row["model"].as_str().unwrap();
            assert_eq!(numbers("models", name).unwrap().into_iter().flatten().count(), 4, "{name}");
        }
        // Table 5 has a row for each model, and for each untrained architecture.
        let ids = crate::preset::models().unwrap().iter().map(|model| model["model"].as_str().unwrap());
        let with_row = ids.filter(|id| !id.contains("-untrained-") || id.ends_with("-untrained-42"));
        assert_eq!(models.len(), with_row.count());
    }

    /// Tables 4 and 5 print some numbers twice, and some numbers follow from others.
    #[test]
    fn tables_agree_with_one_another() {
        for row in paper().unwrap().published("seeds").iter().filter(|own| own["architecture"] != "overall") {
            let name = row["architecture"].as_str().unwrap();
            let own: Vec<f64> = numbers("seeds", name).unwrap().into_iter().flatten().collect();
            let (pretrained, mean, gap) = (own[0], own[1], own[5]);
            assert_eq!(Some(pretrained), numbers("models", name).unwrap()[1], "{name}");
            assert!((pretrained - mean - gap).abs() < 1.1e-3, "{name}");
        }
    }
}
