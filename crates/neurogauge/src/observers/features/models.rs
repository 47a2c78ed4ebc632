//! The image models of a command: each found once, one in memory at a time.

use crate::Error;
use crate::model_weights::{DownloadBar, weight_options};
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_models::{
    DeviceChoice, ImageModel, LocalImageModel, ModelError, WeightOptions, WeightPrecision,
};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Finds models, and holds the one that is in memory.
pub(crate) struct Models<'a> {
    options: WeightOptions,
    /// The user's own weights, by model.
    checkpoints: BTreeMap<String, PathBuf>,
    /// Where they run.
    device: DeviceChoice,
    /// What their weights are rounded to.
    precision: WeightPrecision,
    progress: &'a dyn Progress,
    /// By the id that was asked for; looking means hashing, so each is looked for once.
    found: Vec<(String, Option<LocalImageModel>)>,
    loaded: Option<(ModelIdentity, Box<dyn ImageModel>)>,
}

impl<'a> Models<'a> {
    pub(crate) fn new(settings: &RunSettings, progress: &'a dyn Progress) -> Self {
        Models {
            options: weight_options(settings),
            checkpoints: settings.models.checkpoints.clone(),
            device: settings.models.device,
            precision: settings.models.weight_precision,
            progress,
            found: Vec::new(),
            loaded: None,
        }
    }

    /// Which weights a model has, if they are on this machine.
    pub(crate) fn locate(&mut self, id: &str) -> Result<Option<ModelIdentity>, Error> {
        if let Some((_, found)) = self.found.iter().find(|(known, _)| known == id) {
            return Ok(found.as_ref().map(|model| model.identity().clone()));
        }
        let own = self.checkpoints.get(id);
        let found = match own {
            Some(path) => Some(LocalImageModel::custom(id, path)?),
            None => LocalImageModel::locate(id, &self.options)?,
        };
        let found = found.map(|model| model.rounded(self.precision));
        let identity = found.as_ref().map(|model| model.identity().clone());
        self.found.push((id.to_owned(), found));
        Ok(identity)
    }

    /// Which weights a model has; those that are not here are downloaded where that is allowed.
    pub(crate) fn obtain(&mut self, id: &str) -> Result<ModelIdentity, Error> {
        if let Some(identity) = self.locate(id)? {
            return Ok(identity);
        }
        let progress = DownloadBar(self.progress);
        let model = LocalImageModel::obtain(id, &self.options, &progress)?;
        let model = model.rounded(self.precision);
        let identity = model.identity().clone();
        self.found.retain(|(known, _)| known != id);
        self.found.push((id.to_owned(), Some(model)));
        Ok(identity)
    }

    /// Where a model runs: what only stands in for one needs no device.
    pub(crate) fn device_of(&self, identity: &ModelIdentity) -> DeviceChoice {
        if identity.stand_in {
            DeviceChoice::Cpu
        } else {
            self.device
        }
    }

    /// The weights of a model; those that are not here are downloaded only if it was asked for and that
    /// is allowed.
    pub(crate) fn find(
        &mut self,
        id: &str,
        was_asked_for: bool,
    ) -> Result<Option<LocalImageModel>, Error> {
        if was_asked_for {
            self.obtain(id)?;
        } else {
            self.locate(id)?;
        }
        let found = self.found.iter().find(|(known, _)| known == id);
        Ok(found.and_then(|(_, model)| model.clone()))
    }

    /// The weights that were found of a model.
    pub(super) fn found(&self, identity: &ModelIdentity) -> Option<LocalImageModel> {
        let mut found = self.found.iter().filter_map(|(_, model)| model.as_ref());
        found.find(|model| model.identity() == identity).cloned()
    }

    /// Where models run.
    pub(super) fn device(&self) -> DeviceChoice {
        self.device
    }

    /// The model with these weights, which were found before; any other is dropped first.
    pub(super) fn load(&mut self, identity: &ModelIdentity) -> Result<&dyn ImageModel, Error> {
        let model = match self.take_loaded(identity) {
            Some(model) => model,
            None => self.read(identity)?,
        };
        Ok(self.loaded.insert((identity.clone(), model)).1.as_ref())
    }

    /// The model with these weights, if it is in memory; any other is dropped.
    pub(super) fn take_loaded(&mut self, identity: &ModelIdentity) -> Option<Box<dyn ImageModel>> {
        let loaded = self.loaded.take().filter(|(loaded, _)| loaded == identity);
        loaded.map(|(_, model)| model)
    }

    pub(super) fn read(&self, identity: &ModelIdentity) -> Result<Box<dyn ImageModel>, Error> {
        match self.found(identity) {
            Some(model) => Ok(model.load_on(self.device)?),
            None => Err(Error::Model(ModelError::UnknownModel {
                id: identity.id.clone(),
                nearest: identity.id.clone(),
                known: LocalImageModel::ids().join(", "),
            })),
        }
    }
}
