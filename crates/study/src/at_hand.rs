//! A paper's study with the data at hand: `data.toml` of its folder names every file that the study could use, and what
//! is not there is left out and named. And what a study would need: weights, memory, and hours.

use crate::config::StudyConfig;
use crate::configurations::ComponentChoices;
use crate::pages::with_number;
use crate::runs::{self, plan};
use crate::shown::papers;
use itertools::Itertools;
use neurogauge::core::{Finding, Input, InputPaths, ObservationKind};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::models::weights::{WeightOptions, is_here};
use neurogauge::models::{ModelEntry, find};
use neurogauge::{Error, RunSettings, answer_of_section, load_run, toml_from_str};
use neurogauge_exhibits::{Paper, Records};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;

const LEFT_OUT: &str = "not_at_hand";

/// Seconds that a model takes for an image on two cores, by what it makes: GIT-large, MM-Grounding-DINO Swin-T (Swin-L
/// takes some three times as long), SAM 2.1 large, and EfficientNet, AlexNet, Inception, CLIP and SwAV together, from
/// the page of benchmarks.
const SECONDS: [(ObservationKind, f64); 4] = [
    (ObservationKind::Captions, 1.1),
    (ObservationKind::Detections, 5.1),
    (ObservationKind::Masks, 47.4),
    (ObservationKind::Features, 0.2),
];

/// Lines that begin with the same words.
fn lines(before: &str, lines: impl Iterator<Item = impl Display>) -> String {
    lines.map(|line| format!("{before}{line}\n")).collect()
}

impl StudyConfig {
    /// The study of a paper, by its name or folder, on the data in a folder.
    ///
    /// # Errors
    /// The paper's folder has no `data.toml`, or the data none of its systems.
    pub fn of_data(paper: &str, data: &Path) -> Result<StudyConfig, Error> {
        let paper = Paper::named(paper)?;
        if !data.is_dir() {
            return Err(Error::Usage(format!("{}: no such folder; expected the paper's data in it", data.display())));
        }
        let (path, text) = paper.data().ok_or_else(|| {
            let lacks = format!("{}: its folder has no data.toml, which says where the data are", paper.name);
            Error::Usage(match paper.command.as_str() {
                "" => format!("{lacks}; give a study with --config"),
                command => format!("{lacks}; it is no study: call {command}"),
            })
        })?;
        let mut config = StudyConfig::relative_to(toml_from_str(&path, text)?, &path, data)?;
        config.keep_what_is_there();
        if config.systems.is_empty() {
            let lacks = config.left_out.iter().map(|found| format!("\n{}: {}", found.subject, found.message));
            let (data, paper, lacks) = (data.display(), &paper.name, lacks.collect::<String>());
            return Err(Error::Usage(format!(
                "{data}: nothing of {paper} is there; expected at least one system{lacks}"
            )));
        }
        Ok(config)
    }

    /// Leaves out systems, ratings, choices and configurations whose files are not there.
    fn keep_what_is_there(&mut self) {
        let found = &mut self.left_out;
        keep_inputs(&mut self.inputs, "", found);
        self.systems.retain_mut(|system| {
            let name = format!("system {}", system.name);
            let needed = [Input::RECON, Input::GT].into_iter().filter_map(|input| system.inputs.get(input));
            if !are_there(&name, system.run.as_deref().into_iter().chain(needed), found) {
                return false;
            }
            keep_inputs(&mut system.inputs, &format!("{name}, "), found);
            system.run.is_some()
                || [Input::RECON, Input::Observations].iter().any(|own| system.inputs.get(*own).is_some())
        });
        self.ratings.retain_mut(|own| {
            let name = format!("ratings of {}", own.system);
            let is_of_system = || self.systems.iter().any(|system| system.name == own.system);
            if !are_there(&name, [&own.file], found) || !is_of_system() {
                return false;
            }
            own.scores.retain(|path| are_there(&name, [path], found));
            let n_classes = own.classes.len();
            own.classes.retain(|path| are_there(&name, [path], found));
            // Logits of one side are no classes.
            own.classes.truncate(if own.classes.len() < n_classes { 0 } else { n_classes });
            true
        });
        for (component, of_component) in self.choices.by_component_mut() {
            of_component.retain_mut(|choice| {
                let name = format!("{component} {}", choice.name);
                are_there(&name, choice.paths_mut(), found)
            });
        }
        if let Some(own) = &mut self.basic {
            own.configurations.retain(|one| {
                let name = format!("configuration {}", one.name);
                self.systems.iter().all(|system| {
                    let inputs = one.inputs_of(&system.name);
                    are_there(&name, inputs.iter().map(|(_, path)| path).collect_vec().into_iter().rev(), found)
                })
            });
            own.cross.retain(|name| own.configurations.iter().any(|one| one.name == *name));
            if own.cross.len() < 2 {
                own.cross.clear();
            }
        }
        self.basic.take_if(|own| own.configurations.is_empty());
        self.audit.take_if(|audit| !are_there("audit", &audit.train, found));
    }

    /// Leaves out models whose weights are not on this machine.
    ///
    /// # Errors
    /// A system cannot be scored with what is there.
    pub fn keep_known_models(&mut self, settings: &RunSettings) -> Result<(), Error> {
        let Some(first) = self.systems.iter().find(|system| system.run.is_none()) else {
            return Ok(());
        };
        let mut lacking = plan(&self.request_of(first), settings)?.missing_weights;
        if !lacking.is_empty() {
            // SEED with other components needs all that SEED needs.
            self.choices = ComponentChoices::default();
        }
        let options = WeightOptions::given(settings.weights.as_deref(), settings.allow_download);
        for (_, choices) in self.choices.by_component_mut() {
            choices.retain(|choice| {
                let entry = choice.model.as_deref().and_then(|model| find(model).ok());
                let lacks = entry.filter(|entry| matches!(is_here(entry, &options), Ok(false)));
                lacking.extend(lacks);
                lacks.is_none()
            });
        }
        let lacks = |model: &String| lacking.iter().any(|entry| entry.id == model);
        self.score.captioner.take_if(|choice| lacks(&choice.model));
        self.score.detector.take_if(|choice| lacks(&choice.model));
        self.score.segmenter.take_if(|choice| lacks(&choice.model));
        for (model, entry) in lacking.iter().map(|entry| (entry.id, entry)).collect::<BTreeMap<_, _>>() {
            let weights = format!("its weights ({}) are not on this machine", entry.size());
            let message = format!("{weights}: neurogauge models fetch {model}");
            self.left_out.push(Finding::note(LEFT_OUT, format!("model {model}"), message));
        }
        Ok(())
    }

    /// What scoring the systems would observe, with which weights, in how many hours; what is not at hand; which exhibits
    /// the papers would have and which not; and the conventions. Nothing is observed, downloaded or written.
    ///
    /// # Errors
    /// Errors of the configuration, and those of scoring that come before the first item is observed.
    pub fn dry_run(&self, settings: &RunSettings) -> Result<String, Error> {
        self.check()?;
        let (mut metrics, mut here, mut conventions) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let mut with_weights_here = self.clone();
        with_weights_here.keep_known_models(settings)?;
        let (mut text, mut seconds, mut weights) = (String::new(), 0.0, BTreeMap::<&str, &ModelEntry>::new());
        for system in &self.systems {
            let (name, rated) = (&system.name, self.ratings_of(&system.name).map_or("", |_| ", rated"));
            if let Some(run) = &system.run {
                text += &format!("{name}: finished run {}{rated}\n", run.display());
                here.extend(load_run(run)?.record.metrics.into_iter().map(|metric| metric.id));
                continue;
            }
            let plan = plan(&self.request_of(system), settings)?;
            let own = plan.record.metrics.iter().map(|metric| metric.id.clone()).collect_vec();
            let explained = plan.record.explain();
            let steps = explained.lines().take_while(|line| !line.starts_with("compare"));
            text += &format!("{name}: {} pairs{rated}\n{}", plan.record.n_pairs, lines("  ", steps));
            text += &format!("  compare by {}\n  memory: {}\n", own.join(", "), plan.memory.words());
            metrics.extend(own);
            let ids = plan.record.metrics.iter().flat_map(|metric| &metric.conventions);
            conventions.extend(ids.map(|id| (id.clone(), answer_of_section(id, &plan.record.request))));
            let known = runs::plan(&with_weights_here.request_of(system), settings).ok();
            here.extend(known.into_iter().flat_map(|known| known.record.metrics).map(|metric| metric.id));
            // Models that would add a metric, and those that were asked for.
            let left_out = plan.record.plan.left_out.iter().filter_map(|left| left.model.as_deref());
            let left_out = left_out.filter_map(|model| find(model).ok());
            weights.extend(left_out.chain(plan.missing_weights).map(|entry| (entry.id, entry)));
            for step in &plan.record.plan.steps {
                let of_kind = SECONDS.iter().find(|(kind, _)| *kind == step.makes());
                let new = step.parts.iter().map(|part| part.n_items.saturating_sub(part.n_cached.unwrap_or_default()));
                // Matrices of one model are of the same images.
                seconds += of_kind.map_or(0.0, |(_, seconds)| *seconds) * new.max().unwrap_or_default() as f64;
            }
        }
        let bytes: u64 = weights.values().map(|entry| entry.size().bytes).sum();
        let fetch = |entry: &&ModelEntry| format!("{0} ({1}): neurogauge models fetch {0}", entry.id, entry.size());
        text += &format!("weights that would add something: {:.1} GB\n", bytes as f64 / 1e9);
        text += &lines("  ", weights.values().map(fetch));
        text += &format!("models: roughly {:.1} hours on two cores, each image once\n", seconds / 3600.0);
        let left_out = self.left_out.iter().map(|found| format!("{}: {}", found.subject, found.message));
        text += &lines("not here: ", left_out);
        let record = json!({"config": self, "here": here, "planned": metrics});
        let (records, mut planned) = (Records::default().with("study", &record)?, Vec::new());
        for paper in papers(self)? {
            let of_paper = paper.planned(&records)?.into_iter();
            planned.extend(of_paper.map(|[shows, place, needs]| (with_number(&shows, &place), needs)));
        }
        for (item, needs) in &planned {
            text += &match needs.as_str() {
                "" => format!("would make {item}\n"),
                // Another exhibit of the same item takes less.
                _ if planned.contains(&(item.clone(), String::new())) => String::new(),
                needs => format!("would not make {item}: needs {needs}\n"),
            };
        }
        Ok(text + &lines("convention ", conventions.iter().map(|(id, answer)| format!("{id}: {answer}"))))
    }
}

/// Are all of these there? The first that is not is named.
fn are_there(what: &str, paths: impl IntoIterator<Item = impl AsRef<Path>>, left_out: &mut Vec<Finding>) -> bool {
    let lacking = paths.into_iter().find(|path| !ImageSource::exists(path.as_ref()));
    let message = lacking.map(|path| format!("{} is not there", path.as_ref().display()));
    let is_there = message.is_none();
    left_out.extend(message.map(|message| Finding::note(LEFT_OUT, what, message)));
    is_there
}

/// Takes out the inputs that are not there, and names them.
fn keep_inputs(inputs: &mut InputPaths, before: &str, left_out: &mut Vec<Finding>) {
    let there = inputs.iter().filter(|(input, path)| are_there(&format!("{before}{input}"), [path], left_out));
    *inputs = there.map(|(input, path)| (input, path.to_owned())).collect();
}
