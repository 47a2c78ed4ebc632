//! Checks a configuration before anything is computed.

use crate::config::StudyConfig;
use crate::configurations::path_of;
use crate::runs::{of_system, plan};
use crate::shown;
use itertools::Itertools;
use neurogauge::core::option_words::option;
use neurogauge::core::{Input, InputPaths, counted};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, RunSettings, file_name, load_run};
use std::collections::BTreeMap;
use std::fmt::Display;

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

/// Is each of these names among those that are known?
fn are_known<'a>(place: &str, names: impl IntoIterator<Item = &'a String>, known: &[&str], what: &str) -> Checked {
    let unknown = names.into_iter().find(|name| !known.contains(&name.as_str()));
    let what = format!("{:?} is none of the {what} ({})", unknown.map_or("", String::as_str), known.join(", "));
    refuse_if(unknown.is_some(), place, what)
}

/// Do names differ, also as those of folders?
fn differ<'a>(place: &str, names: impl IntoIterator<Item = &'a String>) -> Checked {
    let mut folders = BTreeMap::new();
    names.into_iter().try_for_each(|name| {
        let folder = file_name(name);
        let is_nameless = folder.trim_start_matches('.').is_empty();
        refuse_if(is_nameless, place, format!("{name:?} is no name; a name needs a letter or a digit"))?;
        let other = folders.insert(folder, name);
        let same = format!("{:?} and {name:?} are the same in letters and digits", other.unwrap_or(name));
        refuse_if(other.is_some(), place, format!("{same}; expected each name once"))
    })
}

impl StudyConfig {
    pub(crate) fn check(&self) -> Checked {
        let said = |text: String| match self.origin.as_str() {
            "" => text,
            file => format!("{file}: {text}"),
        };
        let checked = self.check_names().and_then(|()| self.check_options()).and_then(|()| self.check_parts());
        checked.and_then(|()| self.check_files()).map_err(|error| match error {
            Error::Usage(text) => Error::Usage(said(text)),
            Error::Data(text) => Error::Data(said(text)),
            other => other,
        })
    }

    /// Opens the inputs of every system as scoring does, to refuse what cannot be scored before the first is, which may
    /// take hours. Nothing is written.
    pub(crate) fn check_systems(&self, settings: &RunSettings) -> Checked {
        self.systems.iter().try_for_each(|system| {
            let opened = match &system.run {
                Some(run) => load_run(run).map(drop),
                None => plan(&self.request_of(system), settings).map(drop),
            };
            opened.map_err(of_system(&system.name))
        })
    }

    fn check_names(&self) -> Checked {
        let none = "there is none; name at least one, as [[systems]] with name and recon, observations or run, or";
        let none = format!("{none} {}", option("recon", "NAME=DIR"));
        refuse_if(self.systems.is_empty(), "systems", none)?;
        differ("[[systems]]", self.systems.iter().map(|own| &own.name))?;
        differ("[[ratings]]", self.ratings.iter().map(|own| &own.system))?;
        let systems = self.systems.iter().map(|own| own.name.as_str()).collect_vec();
        are_known("[[ratings]]", self.ratings.iter().map(|own| &own.system), &systems, "systems")?;
        are_known("[audit.recon]", self.audit.iter().flat_map(|own| own.recon.keys()), &systems, "systems")?;
        let (of_systems, of_surveys) = (shown::systems(), shown::surveys().map(|(id, _)| id).collect_vec());
        let published = self.systems.iter().flat_map(|own| &own.published);
        are_known("[[systems]]: published", published, &of_systems, "systems in SEED's or BASIC's tables")?;
        let published = self.ratings.iter().flat_map(|own| &own.published);
        are_known("[[ratings]]: published", published, &of_surveys, "surveys whose values are printed")?;
        for (component, choices) in self.choices.by_component() {
            let place = format!("[[choices.{component}]]");
            differ(&place, choices.iter().map(|choice| &choice.name))?;
            are_known(&place, choices.iter().flat_map(|choice| choice.recon.keys()), &systems, "systems")?;
        }
        let Some(basic) = &self.basic else {
            return Ok(());
        };
        let configurations = basic.configurations.iter().map(|own| own.name.as_str()).collect_vec();
        differ("[[basic.configurations]]", basic.configurations.iter().map(|own| &own.name))?;
        differ("[basic]: cross", &basic.cross)?;
        are_known("[basic]: cross", &basic.cross, &configurations, "configurations")?;
        let none = "there is no configuration; name at least one, as [[basic.configurations]] with name";
        refuse_if(basic.configurations.is_empty(), "[basic]", none)?;
        let one = "one configuration is crossed with none; name two or more";
        refuse_if(basic.cross.len() == 1, "[basic]: cross", one)
    }

    fn check_options(&self) -> Checked {
        let has_inputs = self.score.inputs != InputPaths::default();
        refuse_if(has_inputs, "[score.inputs]", "expected the inputs of all systems in [inputs]")?;
        let what = "reconstructions belong to a system; put them into its [[systems]]";
        refuse_if(self.inputs.get(Input::RECON).is_some(), "[inputs]: recon", what)?;
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
        self.audit.iter().try_for_each(|audit| audit.model().map(drop))
    }

    fn check_parts(&self) -> Checked {
        for system in &self.systems {
            let (is_run, has_inputs) = (system.run.is_some(), system.inputs != InputPaths::default());
            let what = "expected recon or observations, or run, which is taken as it is";
            refuse_if(is_run == has_inputs, format!("system {:?}", system.name), what)?;
        }
        let on_data = self.systems.iter().filter(|system| system.dataset.is_some());
        if let Some(system) = on_data.duplicates_by(|system| (&system.dataset, system.method())).next() {
            let what = format!("{:?} is there twice; expected one system of each method and data set", system.method());
            refuse_if(true, format!("data set {:?}", system.dataset.as_deref().unwrap_or_default()), what)?;
        }
        let choices = self.choices.by_component().flat_map(|(of, own)| own.iter().map(move |one| (of, one)));
        for (component, choice) in choices {
            let place = format!("choices.{component} {:?}", choice.name);
            let has_files = choice.gt.is_some() || !choice.recon.is_empty();
            let is_files_alone = choice.gt.is_some() && choice.model.is_none() && component != "text_encoder";
            let what = "expected `model`, or for a detector or a captioner `gt` and `recon`";
            refuse_if(has_files && !is_files_alone, &place, what)?;
            // One file for every system whose reconstructions were rated.
            let lacking = self.ratings.iter().find(|own| has_files && !choice.recon.contains_key(&own.system));
            let name = lacking.map_or("", |own| &own.system);
            refuse_if(lacking.is_some(), place, format!("recon lacks {name:?}, whose reconstructions were rated"))?;
        }
        for own in self.basic.iter().flat_map(|basic| &basic.configurations) {
            let place = format!("basic.configurations {:?}", own.name);
            for (key, instead) in [("inputs", "the `inputs` of the configuration"), ("models", "[score.models]")] {
                let what = format!("{key}: expected them in {instead}");
                refuse_if(own.score.contains_key(key), format!("{place}: score"), what)?;
            }
            let has_images = [Input::GT, Input::RECON].iter().any(|input| own.inputs.get(*input).is_some());
            let what = "has gt or recon; all configurations have the images of the systems";
            refuse_if(has_images, format!("{place}: inputs"), what)?;
            at(format!("{place}: score"), own.request(&self.score, ""))?;
        }
        Ok(())
    }

    fn check_files(&self) -> Checked {
        self.clone().paths_mut().into_iter().try_for_each(|(place, path)| {
            let mut paths = self.systems.iter().map(|system| path_of(path, &system.name));
            match paths.find(|path| !ImageSource::exists(path)) {
                Some(path) => Err(Error::Data(format!("{place}: {}: no such file or folder", path.display()))),
                None => Ok(()),
            }
        })
    }
}
