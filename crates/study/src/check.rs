//! Checks a configuration before anything is computed.

use crate::choices::{Component, ComponentChoice};
use crate::config::{MetricGroup, StudyConfig, StudySystem};
use crate::published;
use crate::scoring::of_system;
use neurogauge::core::option_words::{ConfigTable, in_table, option};
use neurogauge::core::{Input, InputPaths, counted};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, RunSettings, Silent, file_name, load_run, plan_score};
use std::fmt::Display;
use std::path::Path;

const PAIRING: ConfigTable = ConfigTable {
    name: "[score.pairing]",
    keys: &["pairs", "match"],
};

/// What is wrong at a place; `None` if nothing is.
type Fault = Option<String>;

fn fault_if(is_wrong: bool, what: impl Into<String>) -> Fault {
    is_wrong.then(|| what.into())
}

/// The names that would have the same folder as an earlier one, or none.
fn folder_faults<'a>(names: impl Iterator<Item = &'a str>, another: &str) -> Vec<(&'a str, Fault)> {
    let mut known: Vec<&str> = Vec::new();
    let fault = |name: &'a str| {
        let same = known.iter().find(|own| file_name(own) == file_name(name));
        let taken = same.map(|own| format!("another {another} is called {own:?}; their folders would be the same"));
        known.push(name);
        (name, taken)
    };
    names.map(fault).collect()
}

/// A name without a letter or a digit cannot name a folder.
fn nameless(name: &str, before: &str) -> Fault {
    let is_nameless = file_name(name).trim_start_matches('.').is_empty();
    fault_if(is_nameless, format!("{before}a name needs a letter or a digit"))
}

impl StudyConfig {
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_options()?;
        self.check_named_systems()?;
        self.check_ratings()?;
        for (component, choices) in self.choices.by_component() {
            self.check_choices(component, choices)?;
        }
        self.check_basic()?;
        self.check_audit()?;
        self.check_stems()
    }

    /// Opens the inputs of every system as scoring does, and refuses those that cannot be scored. Nothing is observed
    /// or written.
    pub(crate) fn check_systems(&self, settings: &RunSettings) -> Result<(), Error> {
        for system in &self.systems {
            let opened = match &system.run {
                Some(run) => load_run(run).map(drop),
                None => plan_score(&self.request_of(system), settings, &Silent).map(drop),
            };
            opened.map_err(of_system(&system.name))?;
        }
        Ok(())
    }

    fn said(&self, place: &str, what: &str) -> String {
        match self.origin.as_str() {
            "" => format!("{place}: {what}"),
            file => format!("{file}: {place}: {what}"),
        }
    }

    fn refuse(&self, place: &str, fault: Fault) -> Result<(), Error> {
        fault.map_or(Ok(()), |what| Err(Error::Usage(self.said(place, &what))))
    }

    /// Puts the place in the configuration before the message of another check.
    fn accept<T>(&self, place: &str, checked: Result<T, impl Display>) -> Result<(), Error> {
        self.refuse(place, checked.err().map(|error| error.to_string()))
    }

    fn exists(&self, place: &str, path: &Path) -> Result<(), Error> {
        let missing = || self.said(place, &format!("{}: no such file or folder", path.display()));
        ImageSource::exists(path).then_some(()).ok_or_else(|| Error::Data(missing()))
    }

    /// Checks all paths of some inputs; errors use the configuration's names.
    fn inputs_exist(&self, place: &str, inputs: &InputPaths) -> Result<(), Error> {
        inputs.iter().try_for_each(|(input, path)| self.exists(&format!("{place}: {input}"), path))
    }

    /// What is wrong with the name of a system.
    fn unknown(&self, name: &str) -> Fault {
        let known: Vec<&str> = self.systems.iter().map(|system| system.name.as_str()).collect();
        fault_if(!known.contains(&name), format!("{name:?} is none of the systems ({})", known.join(", ")))
    }

    fn check_options(&self) -> Result<(), Error> {
        let has_inputs = self.score.inputs != InputPaths::default();
        self.refuse("[score.inputs]", fault_if(has_inputs, "expected the inputs of all systems in [inputs]"))?;
        self.accept("[meta]", self.meta.check())?;
        self.accept("[score.bootstrap]", self.score.bootstrap.check())?;
        let what = "it is about means over subjects: say with subjects what systems are called, such as \"{system}_s{subject}\"";
        self.refuse("new_subjects", fault_if(self.new_subjects && self.subjects.is_none(), what))?;
        self.refuse("[examples]", fault_if(self.examples.n == 0, "n = 0: expected at least 1"))?;
        let agree = self.examples.others_agree;
        let what = format!("others_agree = {agree}: expected a share from 0 to 1, such as 0.1");
        self.refuse("[examples]", fault_if(!(0.0..=1.0).contains(&agree), what))?;
        let few = self.metric_groups.iter().find(|group| group.metrics.len() < 2);
        let n = |few: &MetricGroup| counted(few.metrics.len(), "metric");
        let what = few.map(|few| format!("{:?} has {}; expected two or more", few.name, n(few)));
        self.refuse("[[metric_groups]]", what)?;
        let what = "recon: reconstructions belong to a system; put them into its [[systems]]";
        self.refuse("[inputs]", fault_if(self.inputs.get(Input::RECON).is_some(), what))?;
        self.inputs_exist("[inputs]", &self.inputs)
    }

    fn check_audit(&self) -> Result<(), Error> {
        let Some(audit) = &self.audit else {
            return Ok(());
        };
        let unknown = audit.recon.keys().find(|name| self.unknown(name).is_some());
        self.refuse("[audit]", unknown.map(|name| format!("recon.{name}: no system is called that")))?;
        self.accept("[audit]", audit.model())?;
        audit.paths().iter().try_for_each(|path| self.exists("[audit]", path))
    }

    fn check_named_systems(&self) -> Result<(), Error> {
        let none = format!(
            "there is none; name at least one, as [[systems]] with name and recon, observations or run, or {}",
            option("recon", "NAME=DIR")
        );
        self.refuse("systems", fault_if(self.systems.is_empty(), none))?;
        let known = published::systems()?;
        let folders = folder_faults(self.systems.iter().map(|system| system.name.as_str()), "system");
        for (system, (name, fault)) in self.systems.iter().zip(folders) {
            let place = format!("system {name:?}");
            self.refuse(&place, nameless(name, "").or(fault))?;
            let is_same = |other: &&StudySystem| {
                let is_on_it = other.dataset.is_some() && other.dataset == system.dataset;
                other.name != system.name && is_on_it && other.method() == system.method()
            };
            let what = self.systems.iter().find(is_same).map(|other| {
                let name = &other.name;
                format!(
                    "{name:?} is the same method on the same data set; expected one system of each method and data set"
                )
            });
            self.refuse(&place, what)?;
            let other = system.published.as_deref().filter(|name| !known.contains(name));
            let what = other.map(|other| {
                let known = known.join(", ");
                format!(
                    "published: {other:?} is none of the systems whose values SEED's or BASIC's tables print ({known})"
                )
            });
            self.refuse(&place, what)?;
            let has_inputs = system.inputs != InputPaths::default();
            match &system.run {
                Some(run) => {
                    self.refuse(&place, fault_if(has_inputs, "has `run` and inputs; a run is taken as it is"))?;
                    self.exists(&format!("{place}: run"), run)?;
                }
                None => {
                    self.refuse(&place, fault_if(!has_inputs, "has neither recon nor observations nor run"))?;
                    self.inputs_exist(&place, &system.inputs)?;
                }
            }
        }
        Ok(())
    }

    fn check_ratings(&self) -> Result<(), Error> {
        let known: Vec<&str> = published::surveys()?.iter().filter_map(|survey| survey["id"].as_str()).collect();
        for (index, own) in self.ratings.iter().enumerate() {
            self.refuse("ratings", self.unknown(&own.system))?;
            let place = format!("ratings {:?}", own.system);
            let is_rated = self.ratings[..index].iter().any(|other| other.system == own.system);
            self.refuse(&place, fault_if(is_rated, "there are two ratings of this system"))?;
            let other = own.published.as_deref().filter(|id| !known.contains(id));
            let known = known.join(", ");
            let what = other
                .map(|other| format!("published: {other:?} is none of the surveys whose values are printed ({known})"));
            self.refuse(&place, what)?;
            let mut files = [&own.file].into_iter().chain(&own.scores).chain(&own.classes);
            files.try_for_each(|path| self.exists(&place, path))?;
        }
        Ok(())
    }

    fn check_choices(&self, component: Component, choices: &[ComponentChoice]) -> Result<(), Error> {
        let key = component.key();
        for (index, choice) in choices.iter().enumerate() {
            self.refuse(&format!("choices.{key}"), fault_if(choice.name.is_empty(), "a choice has no `name`"))?;
            let place = format!("choices.{key} {:?}", choice.name);
            let is_known = choices[..index].iter().any(|other| other.name == choice.name);
            let has_files = choice.gt.is_some() || !choice.recon.is_empty();
            let is_model = component == Component::TextEncoder;
            for (is_wrong, what) in [
                (is_known, "there are two of this name"),
                (choice.model.is_some() && has_files, "has `model` and files; expected one of them"),
                (is_model && has_files, "expected `model`, not files"),
                (has_files && choice.gt.is_none(), "has `recon` without `gt`"),
            ] {
                self.refuse(&place, fault_if(is_wrong, what))?;
            }
            choice.gt.iter().try_for_each(|gt| self.exists(&format!("{place}: gt"), gt))?;
            // One file for every system whose reconstructions were rated.
            let place = format!("{place}: recon");
            for (system, path) in &choice.recon {
                self.refuse(&place, self.unknown(system))?;
                self.exists(&format!("{place}.{system}"), path)?;
            }
            let mut rated = self.ratings.iter().map(|ratings| &ratings.system).filter(|_| has_files);
            let lacking = rated.find(|name| !choice.recon.contains_key(*name));
            self.refuse(&place, lacking.map(|name| format!("lacks {name:?}, whose reconstructions were rated")))?;
        }
        Ok(())
    }

    fn check_basic(&self) -> Result<(), Error> {
        let Some(basic) = &self.basic else {
            return Ok(());
        };
        let configurations = &basic.configurations;
        let none = "there is no configuration; name at least one, as [[basic.configurations]] with name";
        self.refuse("[basic]", fault_if(configurations.is_empty(), none))?;
        let known: Vec<&str> = configurations.iter().map(|known| known.name.as_str()).collect();
        for (configuration, (name, fault)) in configurations.iter().zip(folder_faults(known.iter().copied(), "one")) {
            self.refuse("basic.configurations", nameless(name, &format!("name {name:?}: ")))?;
            let place = format!("basic.configurations {name:?}");
            self.refuse(&place, fault)?;
            let has_inputs = configuration.score.contains_key("inputs");
            let what = "expected them in the `inputs` of the configuration";
            self.refuse(&format!("{place}: score.inputs"), fault_if(has_inputs, what))?;
            for input in [Input::GT, Input::RECON] {
                let what = format!("{input}: all configurations have the images of the systems");
                let is_given = configuration.inputs.get(input).is_some();
                self.refuse(&format!("{place}: inputs"), fault_if(is_given, what))?;
            }
            for system in &self.systems {
                let inputs = configuration.inputs_of(&system.name);
                self.inputs_exist(&format!("{place}: inputs of {:?}", system.name), &inputs)?;
                self.accept(&format!("{place}: score"), configuration.request(&self.score, &system.name))?;
            }
        }
        for (index, name) in basic.cross.iter().enumerate() {
            let what = format!("{name:?} is none of the configurations ({})", known.join(", "));
            self.refuse("basic.cross", fault_if(!known.contains(&name.as_str()), what))?;
            let is_twice = basic.cross[..index].contains(name);
            self.refuse("basic.cross", fault_if(is_twice, format!("{name:?} occurs twice")))?;
        }
        let what = "one configuration is crossed with none; name two or more";
        self.refuse("basic.cross", fault_if(basic.cross.len() == 1, what))
    }

    /// Checks that images of all systems pair before scoring begins, since that may take hours.
    fn check_stems(&self) -> Result<(), Error> {
        for system in self.systems.iter().filter(|system| system.run.is_none()) {
            let request = self.request_of(system);
            let inputs = &request.inputs;
            let (Some(gt), Some(recon)) = (inputs.get(Input::GT), inputs.get(Input::RECON)) else {
                continue;
            };
            let pairs = || -> Result<(), Error> {
                let (of_gt, of_recon) = (ImageSource::open(gt)?, ImageSource::open(recon)?);
                let paired = of_gt.paired_with(&of_recon, &request.pairing);
                paired.map(drop).map_err(Error::pairing("images", gt, recon))
            };
            in_table(&PAIRING, pairs).map_err(of_system(&system.name))?;
        }
        Ok(())
    }
}
