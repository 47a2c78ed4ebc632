//! The image models of a command: each is found once, and one is in memory at a time.

use crate::Error;
use crate::model_weights;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_models::{DeviceChoice, ImageModel, LayerRequest, LocalImageModel};

/// Finds models, and holds the one in memory.
pub(crate) struct Models<'a> {
    settings: RunSettings,
    progress: &'a dyn Progress,
    /// The models by requested id. Finding a model hashes its files, so it is done once.
    found: Vec<(String, Option<LocalImageModel>)>,
    loaded: Option<(ModelIdentity, Box<dyn ImageModel>)>,
}

impl<'a> Models<'a> {
    pub(crate) fn new(settings: &RunSettings, progress: &'a dyn Progress) -> Self {
        Models {
            settings: settings.clone(),
            progress,
            found: Vec::new(),
            loaded: None,
        }
    }

    /// The weights of a model; missing ones are downloaded only if the model was requested and downloads are allowed.
    pub(crate) fn find(&mut self, id: &str, was_asked_for: bool) -> Result<Option<LocalImageModel>, Error> {
        let known = self.found.iter().find(|(known, _)| known == id);
        let found = match known {
            Some((_, found)) => found.clone(),
            None => model_weights::find(id, &self.settings)?,
        };
        let found = match found {
            None if was_asked_for => Some(model_weights::obtain(id, &self.settings, self.progress)?),
            found => found,
        };
        self.found.retain(|(known, _)| known != id);
        self.found.push((id.to_owned(), found.clone()));
        Ok(found)
    }

    /// Fails if a model does not have a layer, before its missing weights are downloaded in vain. If the weights are
    /// here, reading them finds the error.
    pub(crate) fn check_layers(&mut self, id: &str, layers: &[LayerRequest]) -> Result<(), Error> {
        if !layers.is_empty() && LocalImageModel::knows(id) && self.find(id, false)?.is_none() {
            LocalImageModel::check_layers(id, layers)?;
        }
        Ok(())
    }

    /// The identity of a model's weights; missing ones are downloaded if allowed.
    pub(crate) fn obtain(&mut self, id: &str) -> Result<ModelIdentity, Error> {
        Ok(self.find(id, true)?.ok_or_else(|| LocalImageModel::unknown(id))?.identity().clone())
    }

    /// The device of a model; a placeholder needs none.
    pub(crate) fn device_of(&self, identity: &ModelIdentity) -> DeviceChoice {
        if identity.stand_in {
            DeviceChoice::Cpu
        } else {
            self.device()
        }
    }

    pub(super) fn found(&self, identity: &ModelIdentity) -> Option<LocalImageModel> {
        let mut found = self.found.iter().filter_map(|(_, model)| model.as_ref());
        found.find(|model| model.identity() == identity).cloned()
    }

    pub(super) fn device(&self) -> DeviceChoice {
        self.settings.models.device
    }

    /// The model with these weights, which were found before. First drops any other model in memory.
    pub(super) fn load(&mut self, identity: &ModelIdentity) -> Result<&dyn ImageModel, Error> {
        let model = match self.take_loaded(identity) {
            Some(model) => model,
            None => self.read(identity)?,
        };
        Ok(self.loaded.insert((identity.clone(), model)).1.as_ref())
    }

    /// The model with these weights, if it is in memory. Drops any other model.
    pub(super) fn take_loaded(&mut self, identity: &ModelIdentity) -> Option<Box<dyn ImageModel>> {
        self.loaded.take().filter(|(loaded, _)| loaded == identity).map(|(_, model)| model)
    }

    pub(super) fn read(&self, identity: &ModelIdentity) -> Result<Box<dyn ImageModel>, Error> {
        Ok(self.found(identity).ok_or_else(|| LocalImageModel::unknown(&identity.id))?.load_on(self.device())?)
    }
}
