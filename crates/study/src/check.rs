//! Checks a configuration before anything is computed.

use crate::config::StudyConfig;
use crate::configurations::path_of;
use crate::runs::{of_system, plan};
use crate::shown;
use itertools::Itertools;
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
        self.checked().map_err(|error| match error {
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

    fn checked(&self) -> Checked {
        let basic = self.basic.clone().unwrap_or_default();
        let (of_score, of_recon) =
            (self.score.inputs != InputPaths::default(), self.inputs.get(Input::RECON).is_some());
        let is_share = (0.0..=1.0).contains(&self.examples.others_agree);
        let is_empty = self.basic.as_ref().is_some_and(|basic| basic.configurations.is_empty());
        let subjects = "expected subjects too, such as \"{system}_s{subject}\"";
        for (is_wrong, place, what) in [
            (self.systems.is_empty(), "[[systems]]", "expected one, with name and recon, observations or run"),
            (of_score, "[score.inputs]", "expected the inputs of all systems in [inputs]"),
            (of_recon, "[inputs]: recon", "expected reconstructions in their [[systems]]"),
            (self.new_subjects && self.subjects.is_none(), "new_subjects", subjects),
            (self.examples.n == 0, "[examples]: n", "expected 1 or more"),
            (!is_share, "[examples]: others_agree", "expected a share from 0 to 1, such as 0.1"),
            (is_empty, "[basic]", "expected one or more [[basic.configurations]] with name"),
            (basic.cross.len() == 1, "[basic]: cross", "expected two or more; one is crossed with none"),
        ] {
            refuse_if(is_wrong, place, what)?;
        }
        at("[meta]", self.meta.check())?;
        at("[score.bootstrap]", self.score.bootstrap.check())?;
        self.audit.iter().try_for_each(|audit| audit.model().map(drop))?;
        let configurations = basic.configurations.iter().map(|own| own.name.as_str()).collect_vec();
        differ("[[systems]]", self.systems.iter().map(|own| &own.name))?;
        differ("[[ratings]]", self.ratings.iter().map(|own| &own.system))?;
        differ("[[basic.configurations]]", basic.configurations.iter().map(|own| &own.name))?;
        differ("[basic]: cross", &basic.cross)?;
        are_known("[basic]: cross", &basic.cross, &configurations, "configurations")?;
        let systems = self.systems.iter().map(|own| own.name.as_str()).collect_vec();
        are_known("[[ratings]]", self.ratings.iter().map(|own| &own.system), &systems, "systems")?;
        let (of_systems, of_surveys) = (shown::systems(), shown::surveys().map(|(id, _)| id).collect_vec());
        let published = self.systems.iter().flat_map(|own| &own.published);
        are_known("[[systems]]: published", published, &of_systems, "systems in SEED's or BASIC's tables")?;
        let published = self.ratings.iter().flat_map(|own| &own.published);
        are_known("[[ratings]]: published", published, &of_surveys, "surveys whose values are printed")?;
        for group in &self.metric_groups {
            let what = format!("{:?} has {}; expected two or more", group.name, counted(group.metrics.len(), "metric"));
            refuse_if(group.metrics.len() < 2, "[[metric_groups]]", what)?;
        }
        for system in &self.systems {
            let (is_run, has_inputs) = (system.run.is_some(), system.inputs != InputPaths::default());
            let what = "expected recon or observations, or run, which is taken as it is";
            refuse_if(is_run == has_inputs, format!("system {:?}", system.name), what)?;
        }
        let on_data = self.systems.iter().filter_map(|own| Some((own.dataset.as_ref()?, own)));
        let on_data = on_data.map(|(data, own)| (data, own.method.as_ref().unwrap_or(&own.name)));
        if let Some((data, method)) = on_data.duplicates().next() {
            let what = format!("{method:?} is there twice; expected one system of each method and data set");
            refuse_if(true, format!("data set {data:?}"), what)?;
        }
        for (component, choices) in self.choices.by_component() {
            differ(&format!("[[choices.{component}]]"), choices.iter().map(|choice| &choice.name))?;
            for choice in choices {
                let place = format!("choices.{component} {:?}", choice.name);
                let has_files = choice.gt.is_some() || !choice.recon.is_empty();
                let is_files_alone = choice.gt.is_some() && choice.model.is_none() && component != "text_encoder";
                let what = "expected `model`, or for a detector or a captioner `gt` and `recon`";
                refuse_if(has_files && !is_files_alone, &place, what)?;
                are_known(&place, choice.recon.keys(), &systems, "systems")?;
                // One file for every system whose reconstructions were rated.
                let mut rated = self.ratings.iter().map(|own| &own.system);
                let lacking = rated.find(|name| has_files && !choice.recon.contains_key(*name));
                let what =
                    format!("recon lacks {:?}, whose reconstructions were rated", lacking.unwrap_or(&choice.name));
                refuse_if(lacking.is_some(), &place, what)?;
            }
        }
        for own in &basic.configurations {
            let (place, says) = (format!("basic.configurations {:?}", own.name), |key| own.score.contains_key(key));
            let has_images = [Input::GT, Input::RECON].iter().any(|input| own.inputs.get(*input).is_some());
            refuse_if(says("inputs"), &place, "score: expected inputs in the `inputs` of the configuration")?;
            refuse_if(says("models"), &place, "score: expected models in [score.models], for all configurations")?;
            refuse_if(has_images, &place, "inputs: expected no gt and recon; the images are those of the systems")?;
            at(format!("{place}: score"), own.request(&self.score, ""))?;
        }
        let mut own = self.clone();
        for (place, paths) in own.paths_mut() {
            let of_systems = paths.iter().cartesian_product(&self.systems);
            let mut paths = of_systems.map(|(path, system)| path_of(path, &system.name));
            if let Some(path) = paths.find(|path| !ImageSource::exists(path)) {
                return Err(Error::Data(format!("{place}: {}: no such file or folder", path.display())));
            }
        }
        Ok(())
    }
}
