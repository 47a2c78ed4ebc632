//! The paper's study as a configuration.

mod models;

pub(crate) use models::{MODELS, PAIRED_SEED, PaperModel};

use itertools::Itertools;
use neurogauge::align::AlignConfig;
use neurogauge::formats::atomic_file;
use neurogauge::{Error, toml_from_str};
use std::path::Path;
use std::str::FromStr;

/// The configuration without its sources. The paper does not use this null: `null = 0` omits it and is three times as
/// fast.
const STUDY: &str = include_str!("study.toml");

/// The named groups of models, besides single ids.
const GROUPS: [&str; 4] = ["all", "main", "untrained", "layers"];

/// Sessions of the main experiment for each of the eight subjects.
const RECORDED: [usize; 8] = [40, 40, 32, 30, 40, 32, 40, 30];

/// A study of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// The 515 images of the Natural Scenes Dataset that all subjects saw three times.
    NsdCore,
    /// The 284 images of NSD-synthetic.
    NsdSynthetic,
}

impl Preset {
    /// Its name on the command line, the experiment, and the path of the images below the dataset's folder.
    fn facts(self) -> [&'static str; 3] {
        match self {
            Preset::NsdCore => ["nsd-core", "core-shared", "nsddata_stimuli/stimuli/nsd/nsd_stimuli.hdf5:/imgBrick"],
            Preset::NsdSynthetic => [
                "nsd-synthetic",
                "synthetic",
                "nsddata_stimuli/stimuli/nsdsynthetic/nsdsynthetic_stimuli.hdf5:/imgBrick",
            ],
        }
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Preset::NsdCore, Preset::NsdSynthetic].into_iter().find(|preset| preset.facts()[0] == name);
        known.ok_or_else(|| "expected nsd-core or nsd-synthetic".to_owned())
    }
}

/// The inputs of a study of the paper.
#[derive(Debug, Clone)]
pub struct PresetRequest<'a> {
    pub preset: Preset,
    /// The dataset's folder, which contains `nsddata` and `nsddata_betas`.
    pub nsd: &'a Path,
    /// Images of the stimuli. Default: those of the dataset.
    pub stimuli: Option<&'a Path>,
    /// Labels of regions: `kastner2015`, `prf-visualrois`, or a file below the dataset's folder with `{hemisphere}` in
    /// its name; default: the first.
    pub atlas: Option<&'a str>,
    /// The subjects, from 1; empty for all eight.
    pub subjects: &'a [usize],
    /// The most sessions per subject, for a quick test. Default: all.
    pub sessions: Option<usize>,
    /// The models: `all`, `main` (the main text's four architectures), `untrained`, `layers` (single layers, for Figure
    /// 10), or ids; empty for all.
    pub models: &'a [String],
}

impl<'a> PresetRequest<'a> {
    /// All subjects, sessions and models, with the images and the first atlas of the dataset in this folder.
    pub fn new(preset: Preset, nsd: &'a Path) -> Self {
        PresetRequest {
            preset,
            nsd,
            stimuli: None,
            atlas: None,
            subjects: &[],
            sessions: None,
            models: &[],
        }
    }

    /// The configuration.
    ///
    /// # Errors
    /// [`Error::Usage`] for a model that is not in the paper.
    ///
    /// ```
    /// use neurogauge_recovery::{Preset, PresetRequest};
    /// let config = PresetRequest::new(Preset::NsdCore, "nsd".as_ref()).config()?;
    /// // Nineteen trained models, four architectures untrained with four seeds each, and two with one.
    /// assert_eq!(config.sources.len(), 19 + 4 * 4 + 2);
    /// assert_eq!(config.settings.controls.len(), 7);
    /// # Ok::<(), neurogauge::Error>(())
    /// ```
    pub fn config(&self) -> Result<AlignConfig, Error> {
        let text = self.text()?;
        toml_from_str(format!("--preset {}", self.preset.facts()[0]).as_ref(), &text)
    }

    /// Writes the configuration to a run's folder as `align.toml`.
    ///
    /// # Errors
    /// Errors of [`config`](Self::config); the file cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), Error> {
        let text = self.text()?;
        Ok(atomic_file::write(&run.join("align.toml"), text.as_bytes())?)
    }

    /// Applies `of` to the request with absolute paths, so that the file is valid in any folder.
    pub fn absolute<T>(&self, of: impl FnOnce(&PresetRequest<'_>) -> T) -> T {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        of(&PresetRequest {
            nsd: &absolute(self.nsd),
            stimuli: self.stimuli.map(absolute).as_deref(),
            ..self.clone()
        })
    }

    /// The configuration as a file for reading and editing.
    ///
    /// # Errors
    /// Errors of [`config`](Self::config).
    pub fn text(&self) -> Result<String, Error> {
        let [name, experiment, images] = self.preset.facts();
        let images = self.stimuli.map_or_else(|| quoted(&self.nsd.join(images)), quoted);
        let sessions = match self.sessions {
            None => String::new(),
            Some(most) if self.preset == Preset::NsdSynthetic || most == 0 => {
                return Err(Error::Usage(format!(
                    "--sessions {most}: expected how many of the sessions of nsd-core, 1 or more"
                )));
            }
            Some(most) => format!("sessions = {:?}\n", RECORDED.map(|own| own.min(most))),
        };
        let subjects = match self.subjects {
            [] => &[1, 2, 3, 4, 5, 6, 7, 8][..],
            some => some,
        };
        let places = [
            ("<PRESET>", name.to_owned()),
            ("<EXPERIMENT>", format!("{experiment:?}")),
            ("<SUBJECTS>", format!("{subjects:?}")),
            ("<SESSIONS>", sessions),
            ("<LABELS>", format!("{:?}", self.labels()?)),
            ("<FOLDER>", quoted(self.nsd)),
        ];
        let mut text = places.iter().fold(STUDY.to_owned(), |text, (place, value)| text.replace(place, value));
        for (id, model, each_layer) in self.sources()? {
            let layers = model.layers.iter().map(|layer| format!("\"{layer}:mean\"")).join(", ");
            let names = model.layer_names;
            text += &format!("\n[[sources]]\nmodel = \"{id}\"\nlayers = [{layers}]\nlayer_names = {names:?}\n");
            if each_layer {
                text += "each_layer = true\n";
            }
            if id == model.id {
                text += &format!("weights = {:?}\n", model.weights);
                text.extend(model.family.map(|family| format!("family = {family:?}\n")));
            }
            text += &format!("images = {images}\n");
        }
        Ok(text)
    }

    /// The path of the labels, relative to the dataset's folder.
    fn labels(&self) -> Result<&str, Error> {
        let asked = self.atlas.unwrap_or(DEFAULT_ATLAS);
        match ATLASES.iter().find(|(name, _)| *name == asked) {
            Some((_, labels)) => Ok(labels),
            None if asked.contains("{hemisphere}") => Ok(asked),
            None => Err(Error::Usage(format!(
                "--atlas {asked}: expected {}, or a file of labels on fsaverage below the dataset's folder with \
                 {{hemisphere}} (and {{subject}}) in its name",
                ATLASES.map(|(name, _)| name).join(", ")
            ))),
        }
    }

    /// Models with their rows of Table 5, trained ones first, and whether each layer is a separate source.
    fn sources(&self) -> Result<Vec<(String, &'static PaperModel, bool)>, Error> {
        let trained = MODELS.iter().map(|model| (model.id.to_owned(), model));
        let untrained = MODELS
            .iter()
            .flat_map(|model| model.seeds.iter().map(move |seed| (format!("{}-untrained-{seed}", model.id), model)));
        let all = trained.chain(untrained).collect_vec();
        let mut unknown = self.models.iter().filter(|wanted| !GROUPS.contains(&wanted.as_str()));
        if let Some(wanted) = unknown.find(|wanted| all.iter().all(|(id, _)| id != *wanted)) {
            return Err(Error::Usage(format!(
                "--sources {wanted}: the paper has no such model; it has {}; groups of them: {}",
                all.iter().map(|(id, _)| id).join(", "),
                GROUPS.join(", ")
            )));
        }
        let wants = |name: &str| self.models.iter().any(|wanted| wanted == name);
        let is_whole = |(id, model): &(String, &PaperModel)| {
            let is_of_group =
                wants("all") || wants("main") && model.is_of_main_text() || wants("untrained") && id != model.id;
            self.models.is_empty() || is_of_group || wants(id)
        };
        let has_layers = |(id, model): &(String, &PaperModel)| wants("layers") && model.has_layers(id);
        let whole = all.iter().filter(|own| is_whole(own)).map(|(id, model)| (id.clone(), *model, false));
        let layers = all.iter().filter(|own| has_layers(own)).map(|(id, model)| (id.clone(), *model, true));
        Ok(whole.chain(layers).collect())
    }
}

/// The name of the regions of a study that names none.
pub const DEFAULT_ATLAS: &str = "kastner2015";

/// Labels of regions on fsaverage: names, and files below the dataset's folder.
const ATLASES: [(&str, &str); 2] = [
    (DEFAULT_ATLAS, "nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz"),
    ("prf-visualrois", "nsddata/freesurfer/fsaverage/label/{hemisphere}.prf-visualrois.mgz"),
];

/// A string in TOML; JSON's escapes are valid in TOML.
fn quoted(path: &Path) -> String {
    serde_json::Value::from(path.display().to_string()).to_string()
}
