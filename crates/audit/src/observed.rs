//! Opens features, or has a model make them from images.

use crate::AuditRequest;
use crate::feature_set::FeatureSet;
use neurogauge::core::option_words::option;
use neurogauge::core::{Features, Finding, ModelIdentity, Progress};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::input_record::InputRecord;
use neurogauge::formats::{array_file, recipe};
use neurogauge::{Error, ModelLayers, OnFailure, PerceiveRequest, RunSettings, perceive};
use std::path::Path;

/// The folder of the features that the model makes, inside the audit's folder.
const OBSERVATIONS: &str = "observations";

pub(crate) struct Opener<'a> {
    request: &'a AuditRequest,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
    /// The model, once it has observed something.
    pub(crate) models: Vec<ModelIdentity>,
    /// Assumptions made about the images, and the files that a placeholder made.
    findings: Vec<Finding>,
}

impl<'a> Opener<'a> {
    pub(crate) fn new(request: &'a AuditRequest, settings: &'a RunSettings, progress: &'a dyn Progress) -> Self {
        Opener {
            request,
            settings,
            progress,
            models: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Features in a file, or features of images. If a model is named, everything except arrays of rows is read as
    /// images.
    pub(crate) fn open(&mut self, role: &str, path: &Path) -> Result<FeatureSet, Error> {
        let holds_rows = || array_file::open(path).is_ok_and(|array| array.shape().len() <= 2);
        match &self.request.features {
            Some(model) if !holds_rows() => self.observed(role, path, model),
            None if path.is_dir() => Err(Error::Usage(format!(
                "{}: a folder; expected a file of features, or name the model that makes features of images, such as {}",
                path.display(),
                option("features", "clip_vit_l_14")
            ))),
            _ => {
                self.findings.extend(recipe::warning::<Features>(path)?);
                FeatureSet::open(role, path)
            }
        }
    }

    fn observed(&mut self, role: &str, path: &Path, model: &ModelLayers) -> Result<FeatureSet, Error> {
        let images = ImageSource::open(path)?;
        self.findings.extend(images.settle(self.request.reading, &format!("{role} images"))?);
        let record = InputRecord::of_items(role, &images, self.progress)?;
        let made = perceive(
            &PerceiveRequest {
                images: Some(path.to_owned()),
                features: vec![model.clone()],
                reading: self.request.reading,
                preset: self.request.preset,
                antialias: self.request.antialias,
                models: self.request.models.clone(),
                ..PerceiveRequest::default()
            },
            &RunSettings {
                out: self.settings.out.join(OBSERVATIONS).join(role),
                // A missing stimulus would silently change which ones are nearest.
                on_failure: Some(OnFailure::Stop),
                ..self.settings.clone()
            },
            self.progress,
        )?;
        let [made] = &made[..] else {
            return Err(one_layer(model));
        };
        let [file] = &made.paths[..] else {
            return Err(one_layer(model));
        };
        if !self.models.contains(&made.model) {
            self.models.push(made.model.clone());
        }
        FeatureSet::of_images(file, images, record)
    }

    /// Fails if a model is named but nothing was observed. Returns the assumptions made about images, and a warning if
    /// the model is a placeholder or made the given features.
    pub(crate) fn check(&mut self) -> Result<Vec<Finding>, Error> {
        if let (Some(model), []) = (&self.request.features, &self.models[..]) {
            return Err(Error::Usage(format!(
                "{}: none of the inputs are images, so the model has nothing to observe; leave it out",
                option("features", &model.model)
            )));
        }
        for path in self.request.captions.iter().flatten() {
            self.findings.extend(recipe::warning::<Features>(path)?);
        }
        let placeholder = self.models.iter().find(|model| model.stand_in);
        let placeholder = placeholder.map(|model| {
            let message = "placeholder model: its features, and all numbers of this audit, mean nothing";
            Finding::warning("stand_in", model.id.clone(), message)
        });
        Ok(std::mem::take(&mut self.findings).into_iter().chain(placeholder).collect())
    }
}

fn one_layer(model: &ModelLayers) -> Error {
    Error::Usage(format!("{}: expected one layer of an image model", option("features", &model.model)))
}
