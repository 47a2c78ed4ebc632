//! The observer of the toy kind.

use crate::Error;
use crate::observers::{About, Observer};
use neurogauge_core::{Captions, Image, ModelIdentity, ObservationKind};
use neurogauge_models::ModelError;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the mean of an image's values, and counts the images that it sees.
#[derive(Clone)]
pub(crate) struct BrightnessObserver {
    pub(crate) model: ModelIdentity,
    pub(crate) n_seen: Arc<AtomicUsize>,
}

impl Observer for BrightnessObserver {
    type Item = (Image<f32>, Captions);
    type Recipe = ModelIdentity;
    type Model = ();
    type Input = Image<f32>;
    type Output = f64;

    const ABOUT: About = About {
        name: "brightness",
        revision: "1",
        makes: ObservationKind::Custom,
        batch: 2,
    };

    fn identity(&self) -> &ModelIdentity {
        &self.model
    }

    fn recipe(&self) -> &ModelIdentity {
        &self.model
    }

    fn load(&self) -> Result<Box<()>, Error> {
        Ok(Box::new(()))
    }

    fn prepare(&self, (image, _): Self::Item) -> Result<Image<f32>, ModelError> {
        Ok(image)
    }

    fn observe(&self, (): &(), images: &[Image<f32>], _: &(dyn Fn(usize) + Sync)) -> Result<Vec<f64>, ModelError> {
        self.n_seen.fetch_add(images.len(), Ordering::Relaxed);
        let mean = |image: &Image<f32>| f64::from(image.data().iter().sum::<f32>()) / image.data().len() as f64;
        Ok(images.iter().map(mean).collect())
    }
}
