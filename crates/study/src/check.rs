//! Checks a configuration before anything is computed.

use crate::basic_config::BasicConfiguration;
use crate::choices::{Component, ComponentChoice};
use crate::config::{StudyConfig, StudySystem};
use crate::published;
use crate::scoring::of_system;
use neurogauge::core::option_words::{ConfigTable, in_table, option};
use neurogauge::core::{Input, InputPaths, counted};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, RunSettings, Silent, file_name, load_run, plan_score};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

const PAIRING: ConfigTable = ConfigTable {
    name: "[score.pairing]",
    keys: &["pairs", "match"],
};

impl StudyConfig {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let checking = Checking { config: self };
        checking.options()?;
        checking.systems()?;
        checking.ratings()?;
        for (component, choices) in self.choices.by_component() {
            checking.choices(component, choices)?;
        }
        checking.basic()?;
        checking.audit()?;
        checking.stems()
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

    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.systems.iter().any(|system| system.name == name)
    }
}

struct Checking<'a> {
    config: &'a StudyConfig,
}

impl Checking<'_> {
    fn fault<T>(&self, place: &str, what: &str) -> Result<T, Error> {
        Err(Error::Usage(self.said(place, what)))
    }

    fn said(&self, place: &str, what: &str) -> String {
        match self.config.origin.as_str() {
            "" => format!("{place}: {what}"),
            file => format!("{file}: {place}: {what}"),
        }
    }

    fn refuse_if(&self, is_wrong: bool, place: &str, what: &str) -> Result<(), Error> {
        if is_wrong { self.fault(place, what) } else { Ok(()) }
    }

    /// Puts the place in the configuration before the message of another check.
    fn accept<T>(&self, place: &str, checked: Result<T, impl fmt::Display>) -> Result<(), Error> {
        checked.map_or_else(|error| self.fault(place, &error.to_string()), |_| Ok(()))
    }

    /// Refuses a name without a letter or a digit, since it cannot name a folder.
    fn names_a_folder(&self, name: &str, place: &str, what: &str) -> Result<(), Error> {
        self.refuse_if(file_name(name).trim_start_matches('.').is_empty(), place, what)
    }

    fn exists(&self, place: &str, path: &Path) -> Result<(), Error> {
        let missing = || self.said(place, &format!("{}: no such file or folder", path.display()));
        ImageSource::exists(path).then_some(()).ok_or_else(|| Error::Data(missing()))
    }

    /// Checks all paths of some inputs; errors use the configuration's names.
    fn inputs(&self, place: &str, inputs: &InputPaths) -> Result<(), Error> {
        inputs.iter().try_for_each(|(input, path)| self.exists(&format!("{place}: {input}"), path))
    }

    fn options(&self) -> Result<(), Error> {
        let StudyConfig {
            score,
            meta,
            examples,
            inputs,
            ..
        } = self.config;
        let has_inputs = score.inputs != InputPaths::default();
        self.refuse_if(has_inputs, "[score.inputs]", "expected the inputs of all systems in [inputs]")?;
        self.accept("[meta]", meta.check())?;
        self.accept("[score.bootstrap]", score.bootstrap.check())?;
        self.refuse_if(
            self.config.new_subjects && self.config.subjects.is_none(),
            "new_subjects",
            "it is about means over subjects: say with subjects what systems are called, such as \"{system}_s{subject}\"",
        )?;
        self.refuse_if(examples.n == 0, "[examples]", "n = 0: expected at least 1")?;
        let found = examples.others_agree;
        let what = format!("others_agree = {found}: expected a share from 0 to 1, such as 0.1");
        self.refuse_if(!(0.0..=1.0).contains(&found), "[examples]", &what)?;
        let mut groups = self.config.metric_groups.iter();
        if let Some(few) = groups.find(|group| group.metrics.len() < 2) {
            let n = counted(few.metrics.len(), "metric");
            let what = format!("{:?} has {n}; expected two or more", few.name);
            return self.fault("[[metric_groups]]", &what);
        }
        let has_recon = inputs.get(Input::RECON).is_some();
        let what = "recon: reconstructions belong to a system; put them into its [[systems]]";
        self.refuse_if(has_recon, "[inputs]", what)?;
        self.inputs("[inputs]", inputs)
    }

    fn audit(&self) -> Result<(), Error> {
        let Some(audit) = &self.config.audit else {
            return Ok(());
        };
        if let Some(unknown) = audit.recon.keys().find(|name| !self.config.is_known(name)) {
            let what = format!("recon.{unknown}: no system is called that");
            return self.fault("[audit]", &what);
        }
        self.accept("[audit]", audit.model())?;
        audit.paths().iter().try_for_each(|path| self.exists("[audit]", path))
    }

    fn systems(&self) -> Result<(), Error> {
        let systems = &self.config.systems;
        let none = format!(
            "there is none; name at least one, as [[systems]] with name and recon, observations or run, or {}",
            option("recon", "NAME=DIR")
        );
        self.refuse_if(systems.is_empty(), "systems", &none)?;
        let mut folders: HashMap<String, &str> = HashMap::new();
        for system in systems {
            let StudySystem {
                name,
                run,
                published,
                inputs,
                dataset,
                ..
            } = system;
            let place = format!("system {name:?}");
            self.names_a_folder(name, &place, "a name needs a letter or a digit")?;
            if let Some(other) = folders.insert(file_name(name), name) {
                let what = format!("another system is called {other:?}; their folders would be the same");
                return self.fault(&place, &what);
            }
            let is_same = |other: &&StudySystem| {
                let is_other = other.name != *name && other.dataset == *dataset;
                is_other && other.method() == system.method()
            };
            if let Some(other) = systems.iter().find(is_same).filter(|_| dataset.is_some()) {
                let what = format!(
                    "{:?} is the same method on the same data set; expected one system of each method and data set",
                    other.name
                );
                return self.fault(&place, &what);
            }
            let known = published::systems()?;
            if let Some(other) = published.as_deref().filter(|name| !known.contains(name)) {
                let what = format!(
                    "published: {other:?} is none of the systems whose values SEED's or BASIC's tables print ({})",
                    known.join(", ")
                );
                return self.fault(&place, &what);
            }
            let has_inputs = *inputs != InputPaths::default();
            match run {
                Some(_) if has_inputs => {
                    return self.fault(&place, "has `run` and inputs; a run is taken as it is");
                }
                Some(run) => self.exists(&format!("{place}: run"), run)?,
                None if !has_inputs => {
                    return self.fault(&place, "has neither recon nor observations nor run");
                }
                None => self.inputs(&place, inputs)?,
            }
        }
        Ok(())
    }

    fn unknown_system(&self, name: &str) -> String {
        let known: Vec<&str> = self.config.systems.iter().map(|system| system.name.as_str()).collect();
        format!("{name:?} is none of the systems ({})", known.join(", "))
    }

    fn ratings(&self) -> Result<(), Error> {
        let ratings = &self.config.ratings;
        for (index, own) in ratings.iter().enumerate() {
            let place = format!("ratings {:?}", own.system);
            if !self.config.is_known(&own.system) {
                return self.fault("ratings", &self.unknown_system(&own.system));
            }
            let is_rated = ratings[..index].iter().any(|other| other.system == own.system);
            self.refuse_if(is_rated, &place, "there are two ratings of this system")?;
            let known = published::surveys()?.iter().filter_map(|survey| survey["id"].as_str());
            let known: Vec<&str> = known.collect();
            if let Some(other) = own.published.as_deref().filter(|id| !known.contains(id)) {
                let what = format!(
                    "published: {other:?} is none of the surveys whose values are printed ({})",
                    known.join(", ")
                );
                return self.fault(&place, &what);
            }
            for path in [&own.file].into_iter().chain(&own.scores).chain(&own.classes) {
                self.exists(&place, path)?;
            }
        }
        Ok(())
    }

    fn choices(&self, component: Component, choices: &[ComponentChoice]) -> Result<(), Error> {
        for (index, choice) in choices.iter().enumerate() {
            let key = component.key();
            let place = format!("choices.{key} {:?}", choice.name);
            self.refuse_if(choice.name.is_empty(), &format!("choices.{key}"), "a choice has no `name`")?;
            let is_known = choices[..index].iter().any(|other| other.name == choice.name);
            self.refuse_if(is_known, &place, "there are two of this name")?;
            let has_files = choice.gt.is_some() || !choice.recon.is_empty();
            let has_both = choice.model.is_some() && has_files;
            self.refuse_if(has_both, &place, "has `model` and files; expected one of them")?;
            let is_model = component == Component::TextEncoder;
            self.refuse_if(is_model && has_files, &place, "expected `model`, not files")?;
            if has_files {
                self.files_of(&place, choice)?;
            }
        }
        Ok(())
    }

    /// Checks a choice's files: one for the stimuli, and one for every system whose reconstructions were rated.
    fn files_of(&self, place: &str, choice: &ComponentChoice) -> Result<(), Error> {
        match &choice.gt {
            Some(gt) => self.exists(&format!("{place}: gt"), gt)?,
            None => return self.fault(place, "has `recon` without `gt`"),
        }
        for (system, path) in &choice.recon {
            if !self.config.is_known(system) {
                let what = self.unknown_system(system);
                return self.fault(&format!("{place}: recon"), &what);
            }
            self.exists(&format!("{place}: recon.{system}"), path)?;
        }
        let rated = self.config.ratings.iter().map(|ratings| &ratings.system);
        match rated.into_iter().find(|name| !choice.recon.contains_key(*name)) {
            Some(name) => {
                self.fault(&format!("{place}: recon"), &format!("lacks {name:?}, whose reconstructions were rated"))
            }
            None => Ok(()),
        }
    }

    fn basic(&self) -> Result<(), Error> {
        let Some(basic) = &self.config.basic else {
            return Ok(());
        };
        let configurations = &basic.configurations;
        let none = "there is no configuration; name at least one, as [[basic.configurations]] with name";
        self.refuse_if(configurations.is_empty(), "[basic]", none)?;
        let mut folders: HashMap<String, &str> = HashMap::new();
        for configuration in configurations {
            let BasicConfiguration { name, score, .. } = configuration;
            let what = format!("name {name:?}: a name needs a letter or a digit");
            self.names_a_folder(name, "basic.configurations", &what)?;
            let place = format!("basic.configurations {name:?}");
            if let Some(other) = folders.insert(file_name(name), name) {
                let what = format!("another one is called {other:?}; their folders would be the same");
                return self.fault(&place, &what);
            }
            let what = "expected them in the `inputs` of the configuration";
            self.refuse_if(score.contains_key("inputs"), &format!("{place}: score.inputs"), what)?;
            for input in [Input::GT, Input::RECON] {
                let what = format!("{input}: all configurations have the images of the systems");
                self.refuse_if(configuration.inputs.get(input).is_some(), &format!("{place}: inputs"), &what)?;
            }
            for system in &self.config.systems {
                let inputs = configuration.inputs_of(&system.name);
                self.inputs(&format!("{place}: inputs of {:?}", system.name), &inputs)?;
                let request = configuration.request(&self.config.score, &system.name);
                self.accept(&format!("{place}: score"), request)?;
            }
        }
        for (index, name) in basic.cross.iter().enumerate() {
            if !configurations.iter().any(|known| known.name == *name) {
                let known: Vec<&str> = configurations.iter().map(|known| known.name.as_str()).collect();
                let what = format!("{name:?} is none of the configurations ({})", known.join(", "));
                return self.fault("basic.cross", &what);
            }
            let is_twice = basic.cross[..index].contains(name);
            self.refuse_if(is_twice, "basic.cross", &format!("{name:?} occurs twice"))?;
        }
        let what = "one configuration is crossed with none; name two or more";
        self.refuse_if(basic.cross.len() == 1, "basic.cross", what)
    }

    /// Checks that images of all systems pair before scoring begins, since that may take hours.
    fn stems(&self) -> Result<(), Error> {
        for system in self.config.systems.iter().filter(|s| s.run.is_none()) {
            let request = self.config.request_of(system);
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
