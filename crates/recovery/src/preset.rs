//! The paper's study as a configuration, and what the paper prints for the Natural Scenes Dataset's shared images, to compare
//! with an alignment's. Values of no named source are left out: the regularisations of Appendix B come from twelve models.

use itertools::Itertools;
use neurogauge::align::{AlignConfig, SourceFiles};
use neurogauge::core::words::word_of;
use neurogauge::formats::nsd::NsdFiles;
use neurogauge::stats::quantile;
use neurogauge::{Error, toml_from_str};
use neurogauge_exhibits::Paper;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The configuration without its sources. The paper has no null; `null = 0` omits it and is three times as fast.
const STUDY: &str = include_str!("preset/study.toml");

/// Sessions of the main experiment for each of the eight subjects.
const RECORDED: [usize; 8] = [40, 40, 32, 30, 40, 32, 40, 30];

/// The seed of untrained models in the paper's cases and pairs.
pub(crate) const PAIRED_SEED: u64 = 42;

/// A study of the paper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The 515 images of the Natural Scenes Dataset that all subjects saw three times.
    #[default]
    NsdCore,
    /// The 284 images of NSD-synthetic.
    NsdSynthetic,
}

/// The inputs of a study of the paper.
#[derive(Debug, Clone, Default)]
pub struct PresetRequest {
    pub preset: Preset,
    /// The dataset's folder, which contains `nsddata` and `nsddata_betas`.
    pub nsd: PathBuf,
    /// Images of the stimuli. Default: those of the dataset.
    pub stimuli: Option<PathBuf>,
    /// Labels of regions: `kastner2015` (default), `prf-visualrois`, or a file below `nsd` with `{hemisphere}` in its name.
    pub atlas: Option<String>,
    /// The subjects, from 1; empty for all eight.
    pub subjects: Vec<usize>,
    /// The most sessions per subject, for a quick test. Default: all.
    pub sessions: Option<usize>,
    /// Ids of models, `all`, `main` (the main text), `untrained`, or `layers` (single ones, Figure 10); empty for all.
    pub models: Vec<String>,
}

impl PresetRequest {
    /// The configuration.
    ///
    /// # Errors
    /// [`Error::Usage`] for a model that is not in the paper.
    ///
    /// ```
    /// let config = neurogauge_recovery::PresetRequest::default().config()?;
    /// // Nineteen trained models, four architectures untrained with four seeds each, and two with one.
    /// assert_eq!(config.sources.len(), 19 + 4 * 4 + 2);
    /// assert_eq!(config.settings.controls.len(), 7);
    /// # Ok::<(), neurogauge::Error>(())
    /// ```
    pub fn config(&self) -> Result<AlignConfig, Error> {
        toml_from_str(format!("--preset {}", word_of(&self.preset)).as_ref(), &self.text()?)
    }

    /// The configuration as a file for reading and editing.
    ///
    /// # Errors
    /// Errors of [`config`](Self::config).
    pub fn text(&self) -> Result<String, Error> {
        let (experiment, images) = match self.preset {
            Preset::NsdCore => ("core-shared", "nsd/nsd_stimuli"),
            Preset::NsdSynthetic => ("synthetic", "nsdsynthetic/nsdsynthetic_stimuli"),
        };
        let of_dataset = || self.nsd.join(format!("nsddata_stimuli/stimuli/{images}.hdf5:/imgBrick"));
        let images = quoted(&self.stimuli.clone().unwrap_or_else(of_dataset));
        if let Some(most) = self.sessions.filter(|most| self.preset != Preset::NsdCore || *most == 0) {
            let expected = "expected how many of the sessions of nsd-core, 1 or more";
            return Err(Error::Usage(format!("--sessions {most}: {expected}")));
        }
        let sessions = self.sessions.map(|most| format!("sessions = {:?}\n", RECORDED.map(|own| own.min(most))));
        let subjects = match self.subjects.as_slice() {
            [] => &[1, 2, 3, 4, 5, 6, 7, 8],
            some => some,
        };
        let places = [
            ("<PRESET>", word_of(&self.preset)),
            ("<EXPERIMENT>", format!("{experiment:?}")),
            ("<SUBJECTS>", format!("{subjects:?}")),
            ("<SESSIONS>", sessions.unwrap_or_default()),
            ("<LABELS>", format!("{:?}", self.labels()?)),
            ("<FOLDER>", quoted(&self.nsd)),
        ];
        let mut text = places.iter().fold(STUDY.to_owned(), |text, (place, value)| text.replace(place, value));
        for (each_layer, own) in self.sources()? {
            let layers = own["layers"].as_str().unwrap_or_default().split(' ').collect_vec();
            text += &format!("\n[[sources]]\nmodel = {}\nlayers = {layers:?}\n", own["model"]);
            let more = ["layer_names", "weights", "family"].into_iter().filter(|key| !own[*key].is_null());
            text.extend(more.map(|key| format!("{key} = {}\n", own[key])));
            text += &format!("{}images = {images}\n", if each_layer { "each_layer = true\n" } else { "" });
        }
        Ok(text)
    }

    /// The path of the labels, relative to the dataset's folder.
    fn labels(&self) -> Result<&str, Error> {
        match self.atlas.as_deref().unwrap_or(DEFAULT_ATLAS) {
            DEFAULT_ATLAS => Ok("nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz"),
            "prf-visualrois" => Ok("nsddata/freesurfer/fsaverage/label/{hemisphere}.prf-visualrois.mgz"),
            own if own.contains("{hemisphere}") => Ok(own),
            other => Err(Error::Usage(format!(
                "--atlas {other}: expected {DEFAULT_ATLAS}, prf-visualrois, or a file of labels on fsaverage below the \
                 dataset's folder with {{hemisphere}} (and {{subject}}) in its name"
            ))),
        }
    }

    /// The chosen models, after whether each layer is a separate source.
    fn sources(&self) -> Result<Vec<(bool, &'static Value)>, Error> {
        let all = models()?;
        if let Some(wanted) = self.models.iter().find(|wanted| !all.iter().any(|own| is_of(own, wanted))) {
            return Err(Error::Usage(format!(
                "--sources {wanted}: the paper has no such model; it has {}; groups of them: all, main, untrained, layers",
                all.iter().filter_map(|own| own["model"].as_str()).join(", ")
            )));
        }
        let wanted = |each_layer: bool| self.models.iter().filter(move |wanted| (*wanted == "layers") == each_layer);
        let is_chosen = |(each_layer, own): &(bool, &Value)| {
            self.models.is_empty() && !each_layer || wanted(*each_layer).any(|wanted| is_of(own, wanted))
        };
        Ok([false, true].into_iter().cartesian_product(all).filter(is_chosen).collect())
    }
}

/// The models of the paper, trained ones in the order of its Table 5, then the untrained ones. Of encoders with 24 and 27
/// blocks it mostly uses the first half; Figure 10 has the layers of families and of the main text's models with one seed.
pub(crate) fn models() -> Result<&'static [Value], Error> {
    Ok(paper()?.published("sources"))
}

/// The paper's folder: its exhibits and its published values. A test reads it.
pub(crate) fn paper() -> Result<&'static Paper, Error> {
    Paper::built_in("recovery")
}

/// Is this the model's id, or a group that has it?
pub(crate) fn is_of(model: &Value, wanted: &str) -> bool {
    let groups = model["groups"].as_str().unwrap_or_default();
    wanted == "all" || model["model"] == wanted || groups.split_whitespace().any(|group| group == wanted)
}

/// The name of the regions of a study that names none.
pub const DEFAULT_ATLAS: &str = "kastner2015";

/// A string in TOML; JSON's escapes are valid in TOML.
fn quoted(path: &Path) -> String {
    Value::from(path.display().to_string()).to_string()
}

/// Does an alignment ask the paper's question of such data, perhaps of fewer subjects, sessions and models?
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
    let is_it = |row: &Value| row["place"] == "Table 5" && row["of"] == id;
    paper().is_ok_and(|paper| paper.published("values").iter().any(is_it))
}

/// The smallest and the largest region of the paper's target units (Appendix B).
const PAPERS_RANGE: (usize, usize) = (307, 1117);
const PAPERS_MEDIAN: f64 = 604.5;

/// Origin and sizes of regions in words, with numbers of vertices or voxels, and a caution about comparisons with the
/// paper's values if it has other sizes; `None` for other data than the Natural Scenes Dataset.
pub(crate) fn regions(config: &AlignConfig, sizes: &[usize]) -> Option<(String, Option<String>)> {
    let (labels, (low, high)) = (format!("labels of {}", config.nsd.as_ref()?.label_pattern()), PAPERS_RANGE);
    let Ok(median) = quantile(&sizes.iter().map(|&size| size as f64).collect::<Vec<_>>(), 0.5) else {
        return Some((labels, None));
    };
    let (smallest, largest) = (sizes.iter().min()?, sizes.iter().max()?);
    let n_outside = sizes.iter().filter(|size| !(low..=high).contains(size)).count();
    let warning = format!(
        "regions of {n_outside} of {} target units are outside the paper's range of {low} to {high} (median \
         {PAPERS_MEDIAN}; here {median}), so they may be of another atlas than the paper's; `roi_labels` of [nsd], or \
         --atlas of a preset, takes another",
        sizes.len()
    );
    let words = format!("{labels}, {smallest} to {largest} vertices or voxels, median {median}");
    Some((words, (n_outside > 0).then_some(warning)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn values() -> &'static [Value] {
        paper().unwrap().published("values")
    }

    /// What the paper prints in the row of a table.
    fn numbers(place: &str, of: &str) -> Vec<f64> {
        let row = values().iter().filter(|own| own["place"] == place && own["of"] == of);
        row.map(|own| own["value"].as_str().unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn values_are_those_that_the_paper_prints() {
        assert_eq!(numbers("Table 5", "robust_resnet50"), [0.312, 0.811, 0.902, 0.043]);
        assert_eq!(numbers("Table 5", "vit_b_16-untrained-42"), [0.174, 0.512, 0.570, 0.204]);
        assert!(numbers("Table 5", "vit_b_16-untrained-0").is_empty());
        assert_eq!(numbers("Table 4", "vgg16"), [0.720, 0.568, 0.053, 0.498, 0.626, 0.152, 0.349]);
        assert_eq!(numbers("Table 4", "overall"), [0.748, 0.571, 0.027, 0.177, 0.151]);
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
        // Table 5 has a row for each model, and for each untrained architecture.
        let ids = models().unwrap().iter().map(|model| model["model"].as_str().unwrap());
        let with_row: Vec<&str> =
            ids.filter(|id| !id.contains("-untrained-") || id.ends_with("-untrained-42")).collect();
        assert!(with_row.iter().all(|id| numbers("Table 5", id).len() == 4));
        assert_eq!(values().iter().filter(|own| own["place"] == "Table 5").count(), 4 * with_row.len());
    }

    /// Tables 4 and 5 print some numbers twice, and some numbers follow from others.
    #[test]
    fn tables_agree_with_one_another() {
        for name in ["resnet18", "resnet50", "vgg16", "vit_b_16"] {
            let own = numbers("Table 4", name);
            let (pretrained, mean, gap) = (own[0], own[1], own[5]);
            assert_eq!(pretrained, numbers("Table 5", name)[1], "{name}");
            assert!((pretrained - mean - gap).abs() < 1.1e-3, "{name}");
        }
    }
}
