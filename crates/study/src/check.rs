//! Checks a configuration before anything is computed.

use crate::config::{StudyConfig, StudySystem};
use crate::runs::{of_system, plan};
use crate::shown;
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

type Checked = Result<(), Error>;

fn refuse_if(is_wrong: bool, place: impl Display, what: impl Display) -> Checked {
    match is_wrong {
        true => Err(Error::Usage(format!("{place}: {what}"))),
        false => Ok(()),
    }
}

fn at<T>(place: impl Display, checked: Result<T, impl Display>) -> Checked {
    checked.map(drop).map_err(|error| Error::Usage(format!("{place}: {error}")))
}

/// Is a name, if there is one, among those that are known?
fn is_one_of<'a>(name: impl Into<Option<&'a str>>, known: &[&str], place: impl Display, what: &str) -> Checked {
    let unknown = name.into().filter(|name| !known.contains(name));
    let what = format!("{:?} is none of the {what} ({})", unknown.unwrap_or_default(), known.join(", "));
    refuse_if(unknown.is_some(), place, what)
}

fn exists(place: impl Display, path: &Path) -> Checked {
    match ImageSource::exists(path) {
        true => Ok(()),
        false => Err(Error::Data(format!("{place}: {}: no such file or folder", path.display()))),
    }
}

/// Checks all paths of some inputs; messages have the configuration's names.
fn inputs_exist(place: &str, inputs: &InputPaths) -> Checked {
    inputs.iter().try_for_each(|(input, path)| exists(format!("{place}: {input}"), path))
}

/// Checks names that become those of folders.
fn are_folders(names: &[&str], place: impl Fn(&str) -> String, another: &str) -> Checked {
    for (at, name) in names.iter().enumerate() {
        let is_nameless = file_name(name).trim_start_matches('.').is_empty();
        refuse_if(is_nameless, place(name), "a name needs a letter or a digit")?;
        if let Some(own) = names[..at].iter().find(|own| file_name(own) == file_name(name)) {
            let what = format!("another {another} is called {own:?}; their folders would be the same");
            return refuse_if(true, place(name), what);
        }
    }
    Ok(())
}

impl StudyConfig {
    pub(crate) fn check(&self) -> Checked {
        let said = |text: String| match self.origin.as_str() {
            "" => text,
            file => format!("{file}: {text}"),
        };
        let parts = [
            StudyConfig::check_options,
            StudyConfig::check_named_systems,
            StudyConfig::check_ratings,
            StudyConfig::check_choices,
            StudyConfig::check_basic,
            StudyConfig::check_audit,
        ];
        parts.iter().try_for_each(|check| check(self)).map_err(|error| match error {
            Error::Usage(text) => Error::Usage(said(text)),
            Error::Data(text) => Error::Data(said(text)),
            other => other,
        })?;
        // Images of all systems pair before scoring begins, since that may take hours.
        self.systems.iter().filter(|system| system.run.is_none()).try_for_each(|system| {
            let request = self.request_of(system);
            let (Some(gt), Some(recon)) = (request.inputs.get(Input::GT), request.inputs.get(Input::RECON)) else {
                return Ok(());
            };
            let pairs = || -> Checked {
                let paired = ImageSource::open(gt)?.paired_with(&ImageSource::open(recon)?, &request.pairing);
                paired.map(drop).map_err(Error::pairing("images", gt, recon))
            };
            in_table(&PAIRING, pairs).map_err(of_system(&system.name))
        })
    }

    /// Opens the inputs of every system as scoring does, to refuse what cannot be scored. Nothing is written.
    pub(crate) fn check_systems(&self, settings: &RunSettings) -> Checked {
        self.systems.iter().try_for_each(|system| {
            let opened = match &system.run {
                Some(run) => load_run(run).map(drop),
                None => plan(&self.request_of(system), settings).map(drop),
            };
            opened.map_err(of_system(&system.name))
        })
    }

    fn names(&self) -> Vec<&str> {
        self.systems.iter().map(|system| system.name.as_str()).collect()
    }

    fn check_options(&self) -> Checked {
        let has_inputs = self.score.inputs != InputPaths::default();
        refuse_if(has_inputs, "[score.inputs]", "expected the inputs of all systems in [inputs]")?;
        at("[meta]", self.meta.check())?;
        at("[score.bootstrap]", self.score.bootstrap.check())?;
        let what = "it is about means over subjects: say with subjects what systems are called, such as \"{system}_s{subject}\"";
        refuse_if(self.new_subjects && self.subjects.is_none(), "new_subjects", what)?;
        refuse_if(self.examples.n == 0, "[examples]", "n = 0: expected at least 1")?;
        let agree = self.examples.others_agree;
        let what = format!("others_agree = {agree}: expected a share from 0 to 1, such as 0.1");
        refuse_if(!(0.0..=1.0).contains(&agree), "[examples]", what)?;
        for group in &self.metric_groups {
            let what = format!("{:?} has {}; expected two or more", group.name, counted(group.metrics.len(), "metric"));
            refuse_if(group.metrics.len() < 2, "[[metric_groups]]", what)?;
        }
        let what = "recon: reconstructions belong to a system; put them into its [[systems]]";
        refuse_if(self.inputs.get(Input::RECON).is_some(), "[inputs]", what)?;
        inputs_exist("[inputs]", &self.inputs)
    }

    fn check_audit(&self) -> Checked {
        let Some(audit) = &self.audit else {
            return Ok(());
        };
        for name in audit.recon.keys() {
            let is_unknown = !self.names().contains(&name.as_str());
            refuse_if(is_unknown, "[audit]", format!("recon.{name}: no system is called that"))?;
        }
        audit.model()?;
        audit.paths().iter().try_for_each(|path| exists("[audit]", path))
    }

    fn check_named_systems(&self) -> Checked {
        let none = format!(
            "there is none; name at least one, as [[systems]] with name and recon, observations or run, or {}",
            option("recon", "NAME=DIR")
        );
        refuse_if(self.systems.is_empty(), "systems", none)?;
        let place = |name: &str| format!("system {name:?}");
        are_folders(&self.names(), place, "system")?;
        for system in &self.systems {
            let place = place(&system.name);
            let is_same = |other: &&StudySystem| {
                let is_on_it = other.dataset.is_some() && other.dataset == system.dataset;
                other.name != system.name && is_on_it && other.method() == system.method()
            };
            if let Some(StudySystem { name, .. }) = self.systems.iter().find(is_same) {
                let what = "is the same method on the same data set; expected one system of each method and data set";
                return refuse_if(true, place, format!("{name:?} {what}"));
            }
            let what = "systems whose values SEED's or BASIC's tables print";
            is_one_of(system.published.as_deref(), &shown::systems(), format!("{place}: published"), what)?;
            let has_inputs = system.inputs != InputPaths::default();
            let is_run = system.run.is_some();
            refuse_if(is_run && has_inputs, &place, "has `run` and inputs; a run is taken as it is")?;
            refuse_if(!is_run && !has_inputs, &place, "has neither recon nor observations nor run")?;
            system.run.iter().try_for_each(|run| exists(format!("{place}: run"), run))?;
            inputs_exist(&place, &system.inputs)?;
        }
        Ok(())
    }

    fn check_ratings(&self) -> Checked {
        let known = shown::surveys().map(|(id, _)| id).collect_vec();
        for (index, own) in self.ratings.iter().enumerate() {
            is_one_of(own.system.as_str(), &self.names(), "ratings", "systems")?;
            let place = format!("ratings {:?}", own.system);
            let is_rated = self.ratings[..index].iter().any(|other| other.system == own.system);
            refuse_if(is_rated, &place, "there are two ratings of this system")?;
            let what = "surveys whose values are printed";
            is_one_of(own.published.as_deref(), &known, format!("{place}: published"), what)?;
            let files = [&own.file].into_iter().chain(&own.scores).chain(&own.classes);
            files.into_iter().try_for_each(|path| exists(&place, path))?;
        }
        Ok(())
    }

    fn check_choices(&self) -> Checked {
        let all = self.choices.by_component().into_iter();
        for (key, choices, index) in all.flat_map(|(key, own)| (0..own.len()).map(move |index| (key, own, index))) {
            let choice = &choices[index];
            refuse_if(choice.name.is_empty(), format!("choices.{key}"), "a choice has no `name`")?;
            let place = format!("choices.{key} {:?}", choice.name);
            let is_known = choices[..index].iter().any(|other| other.name == choice.name);
            let has_files = choice.gt.is_some() || !choice.recon.is_empty();
            refuse_if(is_known, &place, "there are two of this name")?;
            refuse_if(choice.model.is_some() && has_files, &place, "has `model` and files; expected one of them")?;
            refuse_if(key == "text_encoder" && has_files, &place, "expected `model`, not files")?;
            refuse_if(has_files && choice.gt.is_none(), &place, "has `recon` without `gt`")?;
            choice.gt.iter().try_for_each(|gt| exists(format!("{place}: gt"), gt))?;
            // One file for every system whose reconstructions were rated.
            let place = format!("{place}: recon");
            for (system, path) in &choice.recon {
                is_one_of(system.as_str(), &self.names(), &place, "systems")?;
                exists(format!("{place}.{system}"), path)?;
            }
            for name in self.ratings.iter().map(|ratings| &ratings.system) {
                let lacks = has_files && !choice.recon.contains_key(name);
                refuse_if(lacks, &place, format!("lacks {name:?}, whose reconstructions were rated"))?;
            }
        }
        Ok(())
    }

    fn check_basic(&self) -> Checked {
        let Some(basic) = &self.basic else {
            return Ok(());
        };
        let none = "there is no configuration; name at least one, as [[basic.configurations]] with name";
        refuse_if(basic.configurations.is_empty(), "[basic]", none)?;
        let known = basic.configurations.iter().map(|known| known.name.as_str()).collect_vec();
        let place = |name: &str| match name {
            "" => "basic.configurations: name \"\"".to_owned(),
            name => format!("basic.configurations {name:?}"),
        };
        are_folders(&known, place, "one")?;
        for own in &basic.configurations {
            let place = place(&own.name);
            let what = "expected them in the `inputs` of the configuration";
            refuse_if(own.score.contains_key("inputs"), format!("{place}: score.inputs"), what)?;
            for input in [Input::GT, Input::RECON] {
                let what = format!("{input}: all configurations have the images of the systems");
                refuse_if(own.inputs.get(input).is_some(), format!("{place}: inputs"), what)?;
            }
            for system in &self.systems {
                inputs_exist(&format!("{place}: inputs of {:?}", system.name), &own.inputs_of(&system.name))?;
                at(format!("{place}: score"), own.request(&self.score, &system.name))?;
            }
        }
        for (index, name) in basic.cross.iter().enumerate() {
            is_one_of(name.as_str(), &known, "basic.cross", "configurations")?;
            refuse_if(basic.cross[..index].contains(name), "basic.cross", format!("{name:?} occurs twice"))?;
        }
        let what = "one configuration is crossed with none; name two or more";
        refuse_if(basic.cross.len() == 1, "basic.cross", what)
    }
}
