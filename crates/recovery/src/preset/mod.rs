//! The paper's study as a configuration.

mod models;

pub use models::{MODELS, PaperModel};

pub(crate) use models::is_of_main_text;

use models::SEEDS;
use neurogauge::Error;
use neurogauge::align::AlignConfig;
use neurogauge::formats::atomic_file;
use std::fmt::Write;
use std::path::Path;
use std::str::FromStr;

/// The named groups of models, besides single ids.
const GROUPS: [&str; 3] = ["all", "main", "untrained"];

/// Sessions of the main experiment that each of the eight subjects has.
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
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::NsdCore => "nsd-core",
            Preset::NsdSynthetic => "nsd-synthetic",
        }
    }

    /// The dataset's images, below its folder.
    pub fn images(self) -> &'static str {
        match self {
            Preset::NsdCore => "nsddata_stimuli/stimuli/nsd/nsd_stimuli.hdf5:/imgBrick",
            Preset::NsdSynthetic => "nsddata_stimuli/stimuli/nsdsynthetic/nsdsynthetic_stimuli.hdf5:/imgBrick",
        }
    }

    fn experiment(self) -> &'static str {
        match self {
            Preset::NsdCore => "core-shared",
            Preset::NsdSynthetic => "synthetic",
        }
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut known = [Preset::NsdCore, Preset::NsdSynthetic].into_iter();
        known
            .find(|preset| preset.name() == name)
            .ok_or_else(|| "expected nsd-core or nsd-synthetic".to_owned())
    }
}

/// The inputs of a study of the paper.
#[derive(Debug, Clone)]
pub struct PresetRequest<'a> {
    pub preset: Preset,
    /// The dataset's folder, with `nsddata` and `nsddata_betas` in it.
    pub nsd: &'a Path,
    /// Images of the stimuli. Default: those of the dataset.
    pub stimuli: Option<&'a Path>,
    /// Labels of regions: `kastner2015`, `prf-visualrois`, or a file below the dataset's folder with `{hemisphere}` in
    /// its name; default: the first.
    pub atlas: Option<&'a str>,
    /// The subjects, from 1; empty for all eight.
    pub subjects: &'a [usize],
    /// The most sessions of each subject, for a quick test. Default: all.
    pub sessions: Option<usize>,
    /// Which models: `all`, `main` (the main text's four architectures), `untrained`, or ids; empty for all.
    pub models: &'a [String],
}

impl PresetRequest<'_> {
    /// The configuration.
    ///
    /// # Errors
    /// [`Error::Usage`] for a model that the paper does not have.
    ///
    /// ```
    /// use neurogauge_recovery::{Preset, PresetRequest};
    /// let request = PresetRequest {
    ///     preset: Preset::NsdCore,
    ///     nsd: "nsd".as_ref(),
    ///     stimuli: None,
    ///     atlas: None,
    ///     subjects: &[],
    ///     sessions: None,
    ///     models: &[],
    /// };
    /// let config = request.config()?;
    /// // Nineteen trained models, four architectures untrained with four seeds each, and two with one.
    /// assert_eq!(config.sources.len(), 19 + 4 * 4 + 2);
    /// assert_eq!(config.settings.controls.len(), 7);
    /// # Ok::<(), neurogauge::Error>(())
    /// ```
    pub fn config(&self) -> Result<AlignConfig, Error> {
        let text = self.text()?;
        toml::from_str(&text).map_err(|error| {
            let name = self.preset.name();
            Error::Usage(format!("--preset {name}: {}", error.message()))
        })
    }

    /// Writes the configuration to a run's folder as `align.toml`.
    ///
    /// # Errors
    /// As [`config`](Self::config); a file that cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), Error> {
        let text = self.text()?;
        Ok(atomic_file::write(&run.join("align.toml"), text.as_bytes())?)
    }

    /// Applies `of` to the same request with absolute paths, so that the file is valid in any folder.
    pub fn absolute<T>(&self, of: impl FnOnce(&PresetRequest<'_>) -> T) -> T {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        of(&PresetRequest {
            nsd: &absolute(self.nsd),
            stimuli: self.stimuli.map(absolute).as_deref(),
            ..self.clone()
        })
    }

    /// The configuration as a file to read and to edit.
    ///
    /// # Errors
    /// As [`config`](Self::config).
    pub fn text(&self) -> Result<String, Error> {
        let own = self.preset.images();
        let images = match self.stimuli {
            Some(stimuli) => quoted(stimuli),
            None => quoted(&self.nsd.join(own)),
        };
        let mut text = format!(
            "# The study of Nakamura et al. (2026), as `neurogauge align --preset {}` makes it: all sources, layers, seeds\n\
             # and controls. Run it with `neurogauge align --config FILE --out RUN`; paths are relative to this file.\n\n\
             [nsd]\n\
             folder = {}\n\
             experiment = {:?}\n",
            self.preset.name(),
            quoted(self.nsd),
            self.preset.experiment(),
        );
        text.push_str(RESPONSES);
        let _ = writeln!(text, "{ABOUT_ATLAS}\nroi_labels = {:?}", self.labels()?);
        let all = (1..=8).collect::<Vec<usize>>();
        let subjects = if self.subjects.is_empty() { &all } else { self.subjects };
        let _ = writeln!(text, "subjects = {subjects:?}");
        if let Some(most) = self.sessions {
            if self.preset == Preset::NsdSynthetic || most == 0 {
                return Err(Error::Usage(format!(
                    "--sessions {most}: expected how many of the sessions of nsd-core, 1 or more"
                )));
            }
            let _ = writeln!(text, "sessions = {:?}", RECORDED.map(|own| own.min(most)));
        }
        text.push('\n');
        text.push_str(SETTINGS);
        for (id, model) in self.sources()? {
            let pooled: Vec<String> = model.layers.iter().map(|layer| format!("\"{layer}:mean\"")).collect();
            let _ = write!(
                text,
                "\n[[sources]]\nmodel = \"{id}\"\nlayers = [{}]\nlayer_names = {:?}\n",
                pooled.join(", "),
                model.layer_names
            );
            if id == model.id {
                let _ = writeln!(text, "weights = {:?}", model.weights);
            }
            if let Some(family) = models::family_of(&id) {
                let _ = writeln!(text, "family = {family:?}");
            }
            let _ = writeln!(text, "images = {images}");
        }
        Ok(text)
    }

    /// The file of labels, below the dataset's folder.
    fn labels(&self) -> Result<&str, Error> {
        let asked = self.atlas.unwrap_or(ATLASES[0].0);
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

    /// Ids, each with the row of Table 5 that it belongs to: trained models first.
    fn sources(&self) -> Result<Vec<(String, &'static PaperModel)>, Error> {
        let trained = MODELS.iter().map(|model| (model.id.to_owned(), model));
        let untrained = MODELS
            .iter()
            .flat_map(|model| model.seeds.iter().map(move |seed| (format!("{}-untrained-{seed}", model.id), model)));
        let mut sources: Vec<_> = trained.chain(untrained).collect();
        for wanted in self.models {
            let known = |(id, _): &(String, &PaperModel)| id == wanted;
            if !GROUPS.contains(&wanted.as_str()) && !sources.iter().any(known) {
                let ids: Vec<&str> = sources.iter().map(|(id, _)| id.as_str()).collect();
                return Err(Error::Usage(format!(
                    "--sources {wanted}: the paper has no such model; it has {}; groups of them: {}",
                    ids.join(", "),
                    GROUPS.join(", ")
                )));
            }
        }
        sources.retain(|(id, model)| {
            let is_wanted = |wanted: &String| match wanted.as_str() {
                "all" => true,
                "main" => is_of_main_text(model),
                "untrained" => id != model.id,
                wanted => wanted == id,
            };
            self.models.is_empty() || self.models.iter().any(is_wanted)
        });
        Ok(sources)
    }
}

/// Labels of regions on fsaverage, the default first: names, and files below the dataset's folder.
const ATLASES: [(&str, &str); 2] = [
    ("kastner2015", "nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz"),
    ("prf-visualrois", "nsddata/freesurfer/fsaverage/label/{hemisphere}.prf-visualrois.mgz"),
];

/// The comment on them in the file.
const ABOUT_ATLAS: &str = "# The paper does not name the atlas of its regions, which have 307 to 1117 vertices, median 604.5. `--atlas` takes\n\
                           # Kastner2015 (the same vertices for all subjects) or prf-visualrois, or other labels on fsaverage.";

/// Betas and regions of the paper.
const RESPONSES: &str = "space = \"fsaverage\"\nbetas = \"fithrf_GLMdenoise_RR\"\nhemispheres = [\"lh\", \"rh\"]\nrepeats = 3\n\
                         rois = { V1v = 1, V1d = 2, V2v = 3, V2d = 4, V3v = 5, V3d = 6, hV4 = 7 }\n";

/// Folds, partitions and controls. The paper has no such null: `null = 0` omits it, and is three times as fast.
const SETTINGS: &str = "[settings]\n\
     seed = 42\n\
     outer_folds = 5\n\
     inner_folds = 5\n\
     partitions = 20\n\
     prefixes = 20\n\
     # What a source without information would recover. Not in the paper; `null = 0` leaves it out. p is that of Student's t;\n\
     # `null = 20` with `null_p = \"draws\"` counts draws instead, and takes four times as long.\n\
     null = 5\n\
     null_p = \"t\"\n\
     null_select = true\n\
     controls = [\n    \
         \"target-pca\",\n    \
         \"random-directions\",\n    \
         \"fixed-rank\",\n    \
         \"direction-prediction\",\n    \
         \"response-permutation\",\n    \
         \"auxiliary-readouts\",\n    \
         \"balanced-partitions\",\n\
     ]\n\
     fixed_ranks = [2, 3]\n\
     random_draws = 1\n\
     response_draws = 1\n\
     donors = true\n\
     resamples = 1000\n\n\
     [settings.subspace]\n\
     max_rank = 20\n\
     alphas = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6]\n";

/// The seed of untrained models in the paper's cases and pairs.
pub(crate) const PAIRED_SEED: u64 = SEEDS[0];

/// As a string of TOML; JSON's escapes are among TOML's.
fn quoted(path: &Path) -> String {
    serde_json::Value::from(path.display().to_string()).to_string()
}
