//! A paper's study with the data at hand: `data.toml` of its folder names every file that the study could use, and what
//! is not there is left out and named.

use crate::choices::{ComponentChoice, ComponentChoices};
use crate::config::StudyConfig;
use neurogauge::core::{Finding, Input, InputPaths};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, RunSettings, ScoreRequest, Silent, plan_score};
use neurogauge_exhibits::Paper;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The code of findings about what was left out.
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
            let instead = match paper.command() {
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
            let wanted: Vec<String> =
                config.left_out.iter().map(|found| format!("{}: {}", found.subject, found.message)).collect();
            return Err(Error::Usage(format!(
                "{}: nothing of {} is there; expected at least one system\n{}",
                data.display(),
                paper.name,
                wanted.join("\n")
            )));
        }
        Ok(config)
    }

    fn leave_out(&mut self, what: impl Into<String>, path: &Path) {
        self.left_out.push(Finding::note(LEFT_OUT, what, format!("{} is not there", path.display())));
    }

    /// Leaves out systems, ratings, choices and configurations whose files are not there.
    fn keep_what_is_there(&mut self) {
        let mut inputs = std::mem::take(&mut self.inputs);
        for (input, path) in missing(&inputs) {
            self.leave_out(input.to_string(), &path);
            inputs.set(input, None);
        }
        self.inputs = inputs;
        for mut system in std::mem::take(&mut self.systems) {
            let name = format!("system {}", system.name);
            if let Some(run) = system.run.as_ref().filter(|run| !run.exists()) {
                self.leave_out(name, run);
                continue;
            }
            let lacking = missing(&system.inputs);
            lacking.iter().for_each(|(input, _)| system.inputs.set(*input, None));
            let is_there = |input| system.inputs.get(input).is_some();
            let has_stimuli = !lacking.iter().any(|(input, _)| *input == Input::GT);
            if system.run.is_some() || has_stimuli && (is_there(Input::RECON) || is_there(Input::Observations)) {
                lacking.iter().for_each(|(input, path)| self.leave_out(format!("{name}, {input}"), path));
                self.systems.push(system);
            } else if let Some((_, path)) = lacking.iter().find(|(input, _)| *input == Input::RECON).or(lacking.first())
            {
                self.leave_out(name, path);
            }
        }
        let known: Vec<String> = self.systems.iter().map(|system| system.name.clone()).collect();
        for mut ratings in std::mem::take(&mut self.ratings) {
            let name = format!("ratings of {}", ratings.system);
            if !ratings.file.exists() {
                self.leave_out(name, &ratings.file);
                continue;
            }
            if !known.contains(&ratings.system) {
                continue;
            }
            for files in [&mut ratings.scores, &mut ratings.classes] {
                let lacking: Vec<PathBuf> = files.iter().filter(|path| !path.exists()).cloned().collect();
                files.retain(|path| path.exists());
                lacking.iter().for_each(|path| self.leave_out(name.clone(), path));
            }
            if ratings.classes.len() == 1 && ratings.classes[0].extension().is_some_and(|ending| ending == "npy") {
                // Logits of one side are no classes.
                ratings.classes.clear();
            }
            self.ratings.push(ratings);
        }
        let mut choices = std::mem::take(&mut self.choices);
        for (component, of_component) in [("detector", &mut choices.detector), ("captioner", &mut choices.captioner)] {
            for choice in std::mem::take(of_component) {
                let lacking = files_of(&choice).find(|path| !ImageSource::exists(path)).cloned();
                match lacking {
                    Some(path) => self.leave_out(format!("{component} {}", choice.name), &path),
                    None => of_component.push(choice),
                }
            }
        }
        self.choices = choices;
        if let Some(mut basic) = self.basic.take() {
            for configuration in std::mem::take(&mut basic.configurations) {
                let lacking = known.iter().find_map(|system| missing(&configuration.inputs_of(system)).pop());
                match lacking {
                    Some((_, path)) => self.leave_out(format!("configuration {}", configuration.name), &path),
                    None => basic.configurations.push(configuration),
                }
            }
            let names: Vec<&String> = basic.configurations.iter().map(|own| &own.name).collect();
            basic.cross.retain(|name| names.contains(&name));
            if basic.cross.len() < 2 {
                basic.cross.clear();
            }
            self.basic = Some(basic).filter(|basic| !basic.configurations.is_empty());
        }
        if let Some(path) = self.audit.as_ref().and_then(|audit| audit.paths().into_iter().find(|path| !path.exists()))
        {
            self.leave_out("audit", &path);
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
        let mut choices = std::mem::take(&mut self.choices);
        for (component, of_component) in choices.by_component_mut() {
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
        self.choices = choices;
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

/// The inputs that do not exist.
fn missing(inputs: &InputPaths) -> Vec<(Input, PathBuf)> {
    let lacking = inputs.iter().filter(|(_, path)| !ImageSource::exists(path));
    lacking.map(|(input, path)| (input, path.to_owned())).collect()
}

fn files_of(choice: &ComponentChoice) -> impl Iterator<Item = &PathBuf> {
    choice.gt.iter().chain(choice.recon.values())
}

/// The models of a request whose weights are missing, with their sizes.
fn lacking_weights(request: &ScoreRequest, settings: &RunSettings) -> Result<BTreeMap<String, String>, Error> {
    let unnamed = RunSettings {
        out: PathBuf::new(),
        ..settings.clone()
    };
    let plan = plan_score(request, &unnamed, &Silent)?;
    Ok(plan.missing_weights.iter().map(|entry| (entry.id.to_owned(), entry.size().to_string())).collect())
}
