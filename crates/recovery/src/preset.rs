//! The paper's study as a configuration.

use itertools::Itertools;
use neurogauge::align::AlignConfig;
use neurogauge::core::words::word_of;
use neurogauge::{Error, toml_from_str};
use neurogauge_exhibits::Paper;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The configuration without its sources. The paper does not use this null: `null = 0` omits it and is three times as
/// fast.
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
            let each_layer = if each_layer { "each_layer = true\n" } else { "" };
            let more =
                ["weights", "family"].map(|key| (key, &own[key])).into_iter().filter(|(_, value)| !value.is_null());
            let more = more.map(|(key, value)| format!("{key} = {value}\n")).join("");
            text += &format!(
                "\n[[sources]]\nmodel = {}\nlayers = {layers:?}\nlayer_names = {}\n{each_layer}{more}images = {images}\n",
                own["model"], own["layer_names"]
            );
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
    Ok(Paper::built_in("recovery")?.published("sources"))
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
