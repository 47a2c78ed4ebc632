//! The values printed in the recovery paper for the Natural Scenes Dataset's shared images, to compare with an
//! alignment's.
//!
//! Values that cannot be attributed to the paper's named sources are left out: the regularisations of Appendix B come
//! from twelve models.

use crate::preset::{MODELS, Preset, PresetRequest};
use neurogauge::Error;
use neurogauge::align::{AlignConfig, SourceFiles};
use neurogauge::formats::nsd::NsdFiles;
use neurogauge_exhibits::Paper;
use std::path::Path;

/// The paper's folder: its exhibits and its published values.
///
/// # Errors
/// It cannot be read, which a test excludes.
pub(crate) fn paper() -> Result<&'static Paper, Error> {
    Paper::built_in("recovery")
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
    let rows = paper().ok()?.published("models").iter();
    rows.filter_map(|row| row["model"].as_str()).find(|row| *row == id).filter(|_| is_same)
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
        let untrained = MODELS.iter().filter(|model| !model.seeds.is_empty());
        assert_eq!(models.len(), MODELS.len() + untrained.count());
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
