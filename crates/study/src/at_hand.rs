//! A paper's study with the data at hand: `data.toml` of its folder names every file that the study could use, and what
//! is not there is left out and named.

use crate::config::{StudyAudit, StudyConfig, StudySystem};
use crate::configurations::ComponentChoices;
use crate::runs::plan;
use neurogauge::core::{Finding, Input, InputPaths};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, RunSettings, ScoreRequest};
use neurogauge_exhibits::Paper;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
const LEFT_OUT: &str = "not_at_hand";

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
            let instead = match paper.command.as_str() {
                "" => "give a study with --config".to_owned(),
                command => format!("it is no study: call {command}"),
            };
            Error::Usage(format!(
                "{}: its folder has no data.toml, which says where the data are; {instead}",
                paper.name
            ))
        })?;
        let mut config = StudyConfig::parsed(&path, data, text)?;
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
        let mut leave_out = |what: String, path: &Path| {
            self.left_out.push(Finding::note(LEFT_OUT, what, format!("{} is not there", path.display())));
        };
        for (input, path) in take_missing(&mut self.inputs) {
            leave_out(input.to_string(), &path);
        }
        self.systems.retain_mut(|system| {
            let name = format!("system {}", system.name);
            let (run, lacking) = (system.run.take_if(|run| !run.exists()), take_missing(&mut system.inputs));
            let is_there = |input| system.inputs.get(input).is_some();
            let lacks = |wanted| lacking.iter().find(|(input, _)| *input == wanted);
            let has_pairs = lacks(Input::GT).is_none() && (is_there(Input::RECON) || is_there(Input::Observations));
            if system.run.is_some() || has_pairs {
                lacking.iter().for_each(|(input, path)| leave_out(format!("{name}, {input}"), path));
                return true;
            }
            let of_inputs = lacks(Input::RECON).or(lacking.first()).map(|(_, path)| path);
            run.as_ref().or(of_inputs).into_iter().for_each(|path| leave_out(name.clone(), path));
            false
        });
        self.ratings.retain_mut(|own| {
            let name = format!("ratings of {}", own.system);
            if !own.file.exists() {
                leave_out(name, &own.file);
                return false;
            }
            if !self.systems.iter().any(|system| system.name == own.system) {
                return false;
            }
            let n_classes = own.classes.len();
            for files in [&mut own.scores, &mut own.classes] {
                files.extract_if(.., |path| !path.exists()).for_each(|path| leave_out(name.clone(), &path));
            }
            // Logits of one side are no classes.
            own.classes.truncate(if own.classes.len() < n_classes { 0 } else { n_classes });
            true
        });
        for (component, of_component) in self.choices.by_component_mut() {
            of_component.retain_mut(|choice| {
                let lacking = choice.paths_mut().find(|path| !ImageSource::exists(path)).cloned();
                lacking.iter().for_each(|path| leave_out(format!("{component} {}", choice.name), path));
                lacking.is_none()
            });
        }
        if let Some(own) = &mut self.basic {
            own.configurations.retain(|configuration| {
                let missing = |system: &StudySystem| take_missing(&mut configuration.inputs_of(&system.name)).pop();
                let lacking = self.systems.iter().find_map(missing);
                let name = format!("configuration {}", configuration.name);
                lacking.iter().for_each(|(_, path)| leave_out(name.clone(), path));
                lacking.is_none()
            });
            own.cross.retain(|name| own.configurations.iter().any(|one| one.name == *name));
            if own.cross.len() < 2 {
                own.cross.clear();
            }
        }
        self.basic.take_if(|own| own.configurations.is_empty());
        if let Some(path) = self.audit.iter().flat_map(StudyAudit::paths).find(|path| !path.exists()) {
            leave_out("audit".to_owned(), &path);
            self.audit = None;
        }
    }

    /// Leaves out models whose weights are not on this machine.
    ///
    /// # Errors
    /// A system cannot be scored with what is there.
    pub fn keep_known_models(&mut self, settings: &RunSettings) -> Result<(), Error> {
        let Some(first) = self.systems.iter().find(|system| system.run.is_none()) else {
            return Ok(());
        };
        let request = self.request_of(first);
        let mut lacking = lacking_weights(&request, settings)?;
        if !lacking.is_empty() {
            // SEED with other components needs all that SEED needs.
            self.choices = ComponentChoices::default();
        }
        let system = first.name.clone();
        for (component, of_component) in self.choices.by_component_mut() {
            for choice in std::mem::take(of_component) {
                let mut with = ScoreRequest {
                    captioner: None,
                    detector: None,
                    segmenter: None,
                    ..request.clone()
                };
                choice.apply(component, &system, &mut with);
                let lacks = choice.model.as_ref().map(|_| lacking_weights(&with, settings)).transpose()?;
                match lacks.filter(|lacks| !lacks.is_empty()) {
                    None => of_component.push(choice),
                    Some(lacks) => lacking.extend(lacks),
                }
            }
        }
        let score = &mut self.score;
        let is_here = |model: &String| !lacking.contains_key(model);
        score.captioner = score.captioner.take().filter(|choice| is_here(&choice.model));
        score.detector = score.detector.take().filter(|choice| is_here(&choice.model));
        score.segmenter = score.segmenter.take().filter(|choice| is_here(&choice.model));
        for (model, size) in lacking {
            let message = format!("its weights ({size}) are not on this machine: neurogauge models fetch {model}");
            self.left_out.push(Finding::note(LEFT_OUT, format!("model {model}"), message));
        }
        Ok(())
    }
}

/// Takes out the inputs that do not exist.
fn take_missing(inputs: &mut InputPaths) -> Vec<(Input, PathBuf)> {
    let lacking = inputs.iter().filter(|(_, path)| !ImageSource::exists(path));
    let lacking: Vec<(Input, PathBuf)> = lacking.map(|(input, path)| (input, path.to_owned())).collect();
    lacking.iter().for_each(|(input, _)| inputs.set(*input, None));
    lacking
}

/// The models of a request whose weights are missing, with their sizes.
fn lacking_weights(request: &ScoreRequest, settings: &RunSettings) -> Result<BTreeMap<String, String>, Error> {
    let plan = plan(request, settings)?;
    Ok(plan.missing_weights.iter().map(|entry| (entry.id.to_owned(), entry.size().to_string())).collect())
}
