//! Opens features, or has a model make them from images.

use crate::perceive::{PerceiveRequest, perceive};
use crate::settings::{ModelChoices, OnFailure, RunSettings};
use crate::{Error, Progress};
use neurogauge_core::image::ImageReading;
use neurogauge_core::option_words::option;
use neurogauge_core::{Features, Finding, ModelIdentity};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::{array_file, recipe};
use neurogauge_models::{ImagePreset, ModelLayers};
use std::path::{Path, PathBuf};

/// The folder of the features that the model makes, inside the results' folder.
const OBSERVATIONS: &str = "observations";

/// The model that makes features of images, and how it sees them.
#[derive(Debug, Clone, Copy)]
pub struct FeatureChoice<'a> {
    pub model: Option<&'a ModelLayers>,
    /// The meaning of stored values that files leave open.
    pub reading: ImageReading,
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as in the preset.
    pub antialias: Option<bool>,
    pub models: &'a ModelChoices,
}

/// A file of features; if they were made from images, these and their record.
pub type OpenedFeatures = (PathBuf, Option<(ImageSource, InputRecord)>);

/// Opens inputs that hold features, or images that a model turns into features.
pub struct FeatureOpener<'a> {
    choice: FeatureChoice<'a>,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
    /// The model, once it has observed something.
    pub models: Vec<ModelIdentity>,
    /// Assumptions made about the images, and the files that a placeholder made.
    findings: Vec<Finding>,
}

impl<'a> FeatureOpener<'a> {
    pub fn new(choice: FeatureChoice<'a>, settings: &'a RunSettings, progress: &'a dyn Progress) -> Self {
        FeatureOpener {
            choice,
            settings,
            progress,
            models: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Features in a file, or features of images. If a model is named, everything except arrays of rows is read as
    /// images.
    ///
    /// # Errors
    /// A folder without a model; inputs that cannot be read; errors of the model.
    pub fn open(&mut self, role: &str, path: &Path) -> Result<OpenedFeatures, Error> {
        let holds_rows = || array_file::open(path).is_ok_and(|array| array.shape().len() <= 2);
        match self.choice.model {
            Some(model) if !holds_rows() => self.observed(role, path, model),
            None if path.is_dir() => Err(Error::Usage(format!(
                "{}: a folder; expected a file of features, or name the model that makes features of images, such as {}",
                path.display(),
                option("features", "clip_vit_l_14")
            ))),
            _ => {
                self.findings.extend(recipe::warning::<Features>(path)?);
                Ok((path.to_owned(), None))
            }
        }
    }

    fn observed(&mut self, role: &str, path: &Path, model: &ModelLayers) -> Result<OpenedFeatures, Error> {
        let images = ImageSource::open(path)?;
        self.findings.extend(images.settle(self.choice.reading, &format!("{role} images"))?);
        let record = InputRecord::of_items(role, &images, self.progress)?;
        let made = perceive(
            &PerceiveRequest {
                images: Some(path.to_owned()),
                features: vec![model.clone()],
                reading: self.choice.reading,
                preset: self.choice.preset,
                antialias: self.choice.antialias,
                models: self.choice.models.clone(),
                ..PerceiveRequest::default()
            },
            &RunSettings {
                out: self.settings.out.join(OBSERVATIONS).join(role),
                // A missing image would silently change what the others are compared with.
                on_failure: Some(OnFailure::Stop),
                ..self.settings.clone()
            },
            self.progress,
        )?;
        let files: Vec<_> =
            made.iter().flat_map(|made| made.paths.iter().map(move |file| (&made.model, file))).collect();
        let [(identity, file)] = files[..] else {
            let option = option("features", &model.model);
            return Err(Error::Usage(format!("{option}: expected one layer of an image model")));
        };
        if !self.models.contains(identity) {
            self.models.push(identity.clone());
        }
        Ok((file.clone(), Some((images, record))))
    }

    /// Fails if a model is named but nothing was observed. Returns the assumptions made about images, and a warning if
    /// the model is a placeholder or made the given features.
    ///
    /// # Errors
    /// A model was named for nothing.
    pub fn check(&mut self) -> Result<Vec<Finding>, Error> {
        if let (Some(model), []) = (self.choice.model, &self.models[..]) {
            return Err(Error::Usage(format!(
                "{}: none of the inputs are images, so the model has nothing to observe; leave it out",
                option("features", &model.model)
            )));
        }
        let placeholder = self.models.iter().find(|model| model.stand_in);
        let placeholder = placeholder.map(|model| {
            let message = "placeholder model: its features, and all numbers that follow from them, mean nothing";
            Finding::warning("stand_in", model.id.clone(), message)
        });
        Ok(std::mem::take(&mut self.findings).into_iter().chain(placeholder).collect())
    }
}
