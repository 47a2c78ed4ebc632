//! Checks a configuration before anything is computed.

use crate::config::{StudyConfig, StudySystem};
use crate::published;
use crate::runs::{of_system, plan};
use itertools::Itertools;
use neurogauge::core::option_words::{ConfigTable, in_table, option};
use neurogauge::core::{Input, InputPaths, counted};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, RunSettings, file_name, load_run};
use std::fmt::Display;
use std::path::Path;

const PAIRING: ConfigTable = ConfigTable {
    name: "[score.pairing]",
    keys: &["pairs", "match"],
};

/// What is wrong in a configuration: the place, the words, and whether a file is missing.
#[derive(Default)]
struct Faults(Vec<(String, String, bool)>);

impl Faults {
    fn add(&mut self, place: impl Into<String>, is_wrong: bool, what: impl Into<String>) {
        self.0.extend(is_wrong.then(|| (place.into(), what.into(), false)));
    }

    fn add_of<T>(&mut self, place: impl Into<String>, checked: Result<T, impl Display>) {
        self.0.extend(checked.err().map(|error| (place.into(), error.to_string(), false)));
    }

    fn exists(&mut self, place: impl Into<String>, path: &Path) {
        let missing = || (place.into(), format!("{}: no such file or folder", path.display()), true);
        self.0.extend((!ImageSource::exists(path)).then(missing));
    }

    /// Checks all paths of some inputs; messages have the configuration's names.
    fn inputs_exist(&mut self, place: &str, inputs: &InputPaths) {
        inputs.iter().for_each(|(input, path)| self.exists(format!("{place}: {input}"), path));
    }

    /// Checks names that become those of folders.
    fn folders(&mut self, names: &[&str], place: impl Fn(&str) -> String, another: &str) {
        for (at, name) in names.iter().enumerate() {
            let is_nameless = file_name(name).trim_start_matches('.').is_empty();
            self.add(place(name), is_nameless, "a name needs a letter or a digit");
            let same = names[..at].iter().find(|own| file_name(own) == file_name(name));
            let what = same.map(|own| format!("another {another} is called {own:?}; their folders would be the same"));
            self.add(place(name), same.is_some(), what.unwrap_or_default());
        }
    }
}

impl StudyConfig {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut faults = Faults::default();
        self.check_options(&mut faults);
        self.check_named_systems(&mut faults);
        self.check_ratings(&mut faults);
        self.check_choices(&mut faults);
        self.check_basic(&mut faults);
        self.check_audit(&mut faults);
        if let Some((place, what, is_missing)) = faults.0.into_iter().next() {
            let file = if self.origin.is_empty() {
                String::new()
            } else {
                format!("{}: ", self.origin)
            };
            let said = format!("{file}{place}: {what}");
            return Err(if is_missing {
                Error::Data(said)
            } else {
                Error::Usage(said)
            });
        }
        // Images of all systems pair before scoring begins, since that may take hours.
        for system in self.systems.iter().filter(|system| system.run.is_none()) {
            let request = self.request_of(system);
            if let (Some(gt), Some(recon)) = (request.inputs.get(Input::GT), request.inputs.get(Input::RECON)) {
                let pairs = || -> Result<(), Error> {
                    let (of_gt, of_recon) = (ImageSource::open(gt)?, ImageSource::open(recon)?);
                    let paired = of_gt.paired_with(&of_recon, &request.pairing);
                    paired.map(drop).map_err(Error::pairing("images", gt, recon))
                };
                in_table(&PAIRING, pairs).map_err(of_system(&system.name))?;
            }
        }
        Ok(())
    }

    /// Opens the inputs of every system as scoring does, and refuses those that cannot be scored. Nothing is observed
    /// or written.
    pub(crate) fn check_systems(&self, settings: &RunSettings) -> Result<(), Error> {
        for system in &self.systems {
            let opened = match &system.run {
                Some(run) => load_run(run).map(drop),
                None => plan(&self.request_of(system), settings).map(drop),
            };
            opened.map_err(of_system(&system.name))?;
        }
        Ok(())
    }

    fn is_known(&self, name: &str, place: impl Into<String>, faults: &mut Faults) {
        let known = self.systems.iter().map(|system| system.name.as_str()).collect_vec();
        faults.add(place, !known.contains(&name), format!("{name:?} is none of the systems ({})", known.join(", ")));
    }

    fn check_options(&self, faults: &mut Faults) {
        let has_inputs = self.score.inputs != InputPaths::default();
        faults.add("[score.inputs]", has_inputs, "expected the inputs of all systems in [inputs]");
        faults.add_of("[meta]", self.meta.check());
        faults.add_of("[score.bootstrap]", self.score.bootstrap.check());
        let what = "it is about means over subjects: say with subjects what systems are called, such as \"{system}_s{subject}\"";
        faults.add("new_subjects", self.new_subjects && self.subjects.is_none(), what);
        faults.add("[examples]", self.examples.n == 0, "n = 0: expected at least 1");
        let agree = self.examples.others_agree;
        let what = format!("others_agree = {agree}: expected a share from 0 to 1, such as 0.1");
        faults.add("[examples]", !(0.0..=1.0).contains(&agree), what);
        for group in &self.metric_groups {
            let what = format!("{:?} has {}; expected two or more", group.name, counted(group.metrics.len(), "metric"));
            faults.add("[[metric_groups]]", group.metrics.len() < 2, what);
        }
        let what = "recon: reconstructions belong to a system; put them into its [[systems]]";
        faults.add("[inputs]", self.inputs.get(Input::RECON).is_some(), what);
        faults.inputs_exist("[inputs]", &self.inputs);
    }

    fn check_audit(&self, faults: &mut Faults) {
        let Some(audit) = &self.audit else {
            return;
        };
        for name in audit.recon.keys() {
            let is_unknown = self.systems.iter().all(|system| system.name != *name);
            faults.add("[audit]", is_unknown, format!("recon.{name}: no system is called that"));
        }
        faults.add_of("[audit]", audit.model());
        audit.paths().iter().for_each(|path| faults.exists("[audit]", path));
    }

    fn check_named_systems(&self, faults: &mut Faults) {
        let none = format!(
            "there is none; name at least one, as [[systems]] with name and recon, observations or run, or {}",
            option("recon", "NAME=DIR")
        );
        faults.add("systems", self.systems.is_empty(), none);
        let known = published::systems();
        let place = |name: &str| format!("system {name:?}");
        faults.folders(&self.systems.iter().map(|system| system.name.as_str()).collect_vec(), place, "system");
        for system in &self.systems {
            let place = place(&system.name);
            let is_same = |other: &&StudySystem| {
                let is_on_it = other.dataset.is_some() && other.dataset == system.dataset;
                other.name != system.name && is_on_it && other.method() == system.method()
            };
            for StudySystem { name, .. } in self.systems.iter().filter(is_same) {
                let what = "is the same method on the same data set; expected one system of each method and data set";
                faults.add(&place, true, format!("{name:?} {what}"));
            }
            for other in system.published.iter().filter(|name| !known.contains(&name.as_str())) {
                let known = known.join(", ");
                let what =
                    format!("{other:?} is none of the systems whose values SEED's or BASIC's tables print ({known})");
                faults.add(&place, true, format!("published: {what}"));
            }
            let has_inputs = system.inputs != InputPaths::default();
            faults.add(&place, system.run.is_some() && has_inputs, "has `run` and inputs; a run is taken as it is");
            faults.add(&place, system.run.is_none() && !has_inputs, "has neither recon nor observations nor run");
            system.run.iter().for_each(|run| faults.exists(format!("{place}: run"), run));
            faults.inputs_exist(&place, &system.inputs);
        }
    }

    fn check_ratings(&self, faults: &mut Faults) {
        let known = published::surveys().map(|(id, _)| id).collect_vec();
        for (index, own) in self.ratings.iter().enumerate() {
            self.is_known(&own.system, "ratings", faults);
            let place = format!("ratings {:?}", own.system);
            let is_rated = self.ratings[..index].iter().any(|other| other.system == own.system);
            faults.add(&place, is_rated, "there are two ratings of this system");
            for other in own.published.iter().filter(|id| !known.contains(&id.as_str())) {
                let known = known.join(", ");
                let what = format!("published: {other:?} is none of the surveys whose values are printed ({known})");
                faults.add(&place, true, what);
            }
            let files = [&own.file].into_iter().chain(&own.scores).chain(&own.classes);
            files.for_each(|path| faults.exists(&place, path));
        }
    }

    fn check_choices(&self, faults: &mut Faults) {
        let all = self.choices.by_component().into_iter();
        for (key, choices, index) in all.flat_map(|(key, own)| (0..own.len()).map(move |index| (key, own, index))) {
            let choice = &choices[index];
            faults.add(format!("choices.{key}"), choice.name.is_empty(), "a choice has no `name`");
            let place = format!("choices.{key} {:?}", choice.name);
            let is_known = choices[..index].iter().any(|other| other.name == choice.name);
            let has_files = choice.gt.is_some() || !choice.recon.is_empty();
            faults.add(&place, is_known, "there are two of this name");
            faults.add(&place, choice.model.is_some() && has_files, "has `model` and files; expected one of them");
            faults.add(&place, key == "text_encoder" && has_files, "expected `model`, not files");
            faults.add(&place, has_files && choice.gt.is_none(), "has `recon` without `gt`");
            choice.gt.iter().for_each(|gt| faults.exists(format!("{place}: gt"), gt));
            // One file for every system whose reconstructions were rated.
            let place = format!("{place}: recon");
            for (system, path) in &choice.recon {
                self.is_known(system, &place, faults);
                faults.exists(format!("{place}.{system}"), path);
            }
            for name in self.ratings.iter().map(|ratings| &ratings.system) {
                let lacks = has_files && !choice.recon.contains_key(name);
                faults.add(&place, lacks, format!("lacks {name:?}, whose reconstructions were rated"));
            }
        }
    }

    fn check_basic(&self, faults: &mut Faults) {
        let Some(basic) = &self.basic else {
            return;
        };
        let none = "there is no configuration; name at least one, as [[basic.configurations]] with name";
        faults.add("[basic]", basic.configurations.is_empty(), none);
        let known = basic.configurations.iter().map(|known| known.name.as_str()).collect_vec();
        let place = |name: &str| match name {
            "" => "basic.configurations: name \"\"".to_owned(),
            name => format!("basic.configurations {name:?}"),
        };
        faults.folders(&known, place, "one");
        for own in &basic.configurations {
            let place = place(&own.name);
            let what = "expected them in the `inputs` of the configuration";
            faults.add(format!("{place}: score.inputs"), own.score.contains_key("inputs"), what);
            for input in [Input::GT, Input::RECON] {
                let what = format!("{input}: all configurations have the images of the systems");
                faults.add(format!("{place}: inputs"), own.inputs.get(input).is_some(), what);
            }
            for system in &self.systems {
                let inputs = own.inputs_of(&system.name);
                faults.inputs_exist(&format!("{place}: inputs of {:?}", system.name), &inputs);
                faults.add_of(format!("{place}: score"), own.request(&self.score, &system.name));
            }
        }
        for (index, name) in basic.cross.iter().enumerate() {
            let what = format!("{name:?} is none of the configurations ({})", known.join(", "));
            faults.add("basic.cross", !known.contains(&name.as_str()), what);
            faults.add("basic.cross", basic.cross[..index].contains(name), format!("{name:?} occurs twice"));
        }
        let what = "one configuration is crossed with none; name two or more";
        faults.add("basic.cross", basic.cross.len() == 1, what);
    }
}
