//! The configuration file of a study.

use crate::configurations::{BasicStudy, ComponentChoice, ComponentChoices};
use itertools::Itertools;
use neurogauge::core::pair::{ItemJoin, PairsOf};
use neurogauge::core::{Finding, Input, InputPaths, LabelList};
use neurogauge::metrics::PixelOptions;
use neurogauge::stats::meta::MetaOptions;
use neurogauge::{Error, ScoreRequest, Setting, SubjectPattern, read_toml};
use neurogauge_audit::ClustersFrom;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The content of the TOML file of `neurogauge study`. Paths are relative to its folder.
///
/// ```
/// use neurogauge::Input;
/// use neurogauge_study::StudyConfig;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("study.toml");
/// std::fs::write(
///     &path,
///     "[inputs]\ngt = 'stimuli'\n[[systems]]\nname = 'mine'\nrecon = 'mine'\n[[ratings]]\nsystem = 'mine'\nfile = 'r.csv'\n",
/// )?;
/// let config = StudyConfig::read(&path)?;
/// let mine = folder.path().join("mine");
/// assert_eq!(config.systems[0].inputs.get(Input::RECON), Some(mine.as_path()));
/// assert_eq!(config.examples.n, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudyConfig {
    /// The papers whose tables and figures are made: names of those that are built in, or folders; by default SEED and
    /// BASIC. A file does not name them.
    #[serde(skip_deserializing)]
    pub papers: Vec<String>,
    /// Inputs that systems share: the stimuli (`gt`) and their observations. A system's own inputs override them.
    pub inputs: InputPaths,
    /// How systems are scored: all fields of `request` in a `run.json`, except `inputs`.
    pub score: ScoreRequest,
    /// Conventions by their ids, which override `score` and its preset.
    #[serde(skip_serializing)]
    pub set: Map<String, Value>,
    pub systems: Vec<StudySystem>,
    /// The pattern of systems' names if several of them are subjects of one system, as in `neurogauge compare
    /// --subjects`.
    pub subjects: Option<SubjectPattern>,
    /// Are intervals of means over subjects for new subjects, and not only for these?
    pub new_subjects: bool,
    /// Ratings by people of systems' reconstructions.
    pub ratings: Vec<StudyRatings>,
    /// Other detectors, captioners and text encoders with which SEED is computed.
    pub choices: ComponentChoices,
    /// BASIC under several configurations.
    pub basic: Option<BasicStudy>,
    /// The audit: does a system decode, or does it classify?
    pub audit: Option<StudyAudit>,
    /// Groups of metrics whose common worst cases are shown, instead of those of SEED's Figure 9.
    pub metric_groups: Vec<MetricGroup>,
    /// How metrics are compared with people.
    pub meta: MetaOptions,
    pub examples: ExampleOptions,
    /// The configuration's file, for messages; may be empty.
    #[serde(skip)]
    pub origin: String,
    /// What a paper's data could have and do not have.
    #[serde(skip)]
    pub left_out: Vec<Finding>,
}

/// A system: its reconstructions, or a finished run on them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StudySystem {
    pub name: String,
    /// A finished run of `neurogauge score`, which is used unchanged.
    pub run: Option<PathBuf>,
    /// Its name in SEED's or BASIC's tables, so that the published values are shown beside its own.
    pub published: Option<String>,
    /// The data set of its stimuli; with two or more, a table shows methods by data sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The name of its row in that table; by default `name`.
    pub method: Option<String>,
    /// `recon`, `observations` and the other [`InputPaths`].
    #[serde(flatten)]
    pub inputs: InputPaths,
}

/// Human ratings of one system's reconstructions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudyRatings {
    /// The system whose reconstructions were rated.
    pub system: String,
    /// The file of ratings, as `neurogauge meta --human` reads it; items are the stems of pairs.
    pub file: PathBuf,
    /// Column that names the item; `None` for the usual names.
    pub item_column: Option<String>,
    pub rater_column: Option<String>,
    pub value_column: Option<String>,
    /// How rated items are matched with pairs: `exact`, `stem`, `number`, or a pattern of the items' names, such as
    /// `mindeye2_{stem}`.
    pub join: ItemJoin,
    /// With `all`, an item without ratings or scores is an error; otherwise such items are counted and named.
    pub pairs: Option<PairsOf>,
    /// Lowest and highest possible rating.
    pub scale: Option<(f64, f64)>,
    /// Codes of missing ratings, as text; empty if no code that looks like a rating means a missing one.
    pub missing: Option<Vec<String>>,
    /// Files with other metrics of the same items, such as VQA scores.
    pub scores: Vec<PathBuf>,
    /// Metrics of these files for which lower is better.
    pub lower_is_better: Vec<String>,
    /// Metrics of these files for which higher is better.
    pub higher_is_better: Vec<String>,
    /// The class of each image according to a classifier: a table of labels, or the logits of stimuli and of
    /// reconstructions.
    pub classes: Vec<PathBuf>,
    /// The published survey of these ratings, `seed-nsd` or `seed-god`; its values are shown beside those found here.
    pub published: Option<String>,
}

/// The options of `neurogauge audit` for every system.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudyAudit {
    /// Features or images of the training stimuli.
    pub train: Option<PathBuf>,
    /// The model that computes features of images, as `MODEL[:LAYER[:POOLING]]`.
    pub features: Option<String>,
    /// A number of clusters that k-means looks for, or a table with the cluster of each stimulus; by default as
    /// `neurogauge audit`.
    #[serde(deserialize_with = "clusters")]
    pub clusters: Option<ClustersFrom>,
}

fn clusters<'de, D: Deserializer<'de>>(of: D) -> Result<Option<ClustersFrom>, D::Error> {
    let value = Value::deserialize(of)?;
    Ok(value.as_str().map_or_else(|| value.to_string(), str::to_owned).parse().ok())
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricGroup {
    pub name: String,
    /// Ids of the runs' metrics, or names of metrics in the files of scores; two or more.
    pub metrics: Vec<String>,
}

/// The paper's groups of metrics that fail in similar ways.
pub(crate) const GROUPS: [(&str, &[&str]); 3] = [
    ("low-level metrics", &["pixcorr", "ssim", "alexnet2", "alexnet5"]),
    ("two-way identification", &["inception", "clip"]),
    ("distances of features", &["effnet", "swav"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExampleOptions {
    /// Number of worst cases for each part of SEED, of near misses and of detail misses.
    pub n: usize,
    /// For worst cases of one part, the other parts must rank the pair as people do: the difference is at most this
    /// share of the ranking.
    pub others_agree: f64,
}

impl Default for ExampleOptions {
    fn default() -> Self {
        let (n, others_agree) = (3, 0.1);
        ExampleOptions { n, others_agree }
    }
}

impl StudyConfig {
    /// Reads the file, with paths made relative to it.
    ///
    /// # Errors
    /// The TOML parser's error, which has the line.
    pub fn read(path: &Path) -> Result<StudyConfig, Error> {
        StudyConfig::relative_to(read_toml(path)?, path, path.parent().unwrap_or(Path::new(".")))
    }

    /// A configuration whose paths are relative to `folder`.
    pub(crate) fn relative_to(mut config: StudyConfig, path: &Path, folder: &Path) -> Result<StudyConfig, Error> {
        config.origin = path.display().to_string();
        for path in config.paths_mut().into_iter().flat_map(|(_, paths)| paths) {
            *path = folder.join(&*path);
        }
        if config.score.options.pixels == PixelOptions::default() {
            // The metrics decide pixels (`nsd8`) unless the file does.
            config.score.apply_presets(&[])?;
        }
        let place = |reason| Error::Usage(format!("{}: [set]: {reason}", path.display()));
        let settings = config.set.iter().map(|(id, value)| Setting::in_folder(folder, id, value).map_err(place));
        config.score.set(&settings.collect::<Result<Vec<_>, Error>>()?)?;
        let labels = &mut config.score.labels;
        if !labels.is_empty() && LabelList::builtin(labels).is_none() {
            *labels = folder.join(&*labels).display().to_string();
        }
        Ok(config)
    }

    /// Everything on disk that the configuration names, by its place there.
    pub(crate) fn paths_mut(&mut self) -> Vec<(String, Vec<&mut PathBuf>)> {
        let mut found = vec![
            ("[inputs]".to_owned(), self.inputs.paths_mut().collect_vec()),
            ("[score.models]".to_owned(), self.score.models.paths_mut().collect()),
        ];
        for own in &mut self.systems {
            found.push((format!("system {:?}", own.name), own.inputs.paths_mut().collect()));
            found.push((format!("system {:?}: run", own.name), own.run.iter_mut().collect()));
        }
        for own in &mut self.ratings {
            let files = [&mut own.file].into_iter().chain(&mut own.scores).chain(&mut own.classes);
            found.push((format!("ratings {:?}", own.system), files.collect()));
        }
        for (component, choices) in self.choices.by_component_mut() {
            let place = |own: &ComponentChoice| format!("choices.{component} {:?}", own.name);
            found.extend(choices.iter_mut().map(|own| (place(own), own.paths_mut().collect())));
        }
        for own in self.basic.iter_mut().flat_map(|basic| &mut basic.configurations) {
            found.push((format!("basic.configurations {:?}", own.name), own.inputs.paths_mut().collect()));
        }
        if let Some(own) = &mut self.audit {
            let clusters = match &mut own.clusters {
                Some(ClustersFrom::File(path)) => Some(path),
                _ => None,
            };
            found.push(("[audit]".to_owned(), own.train.iter_mut().chain(clusters).collect()));
        }
        found
    }

    /// The ratings of a system, if there are any.
    pub(crate) fn ratings_of(&self, system: &str) -> Option<&StudyRatings> {
        self.ratings.iter().find(|ratings| ratings.system == system)
    }

    pub(crate) fn request_of(&self, system: &StudySystem) -> ScoreRequest {
        let mut inputs = self.inputs.overridden(&system.inputs);
        if inputs.get(Input::RECON).is_none() {
            // This system has only observations.
            inputs.set(Input::GT, None);
        }
        let mut request = self.score.clone();
        request.inputs = inputs;
        request
    }
}
