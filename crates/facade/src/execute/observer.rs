//! The trait of observers: models that describe one item at a time.

use super::observe_batch;
use crate::Error;
use neurogauge_core::{ModelIdentity, ObservationKind};
use neurogauge_models::ModelError;
use serde::Serialize;

/// Properties of an observer that do not depend on its weights and options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name, part of the cache key.
    pub name: &'static str,
    /// Increased whenever the same recipe gives a different result. It is part of the cache key, so older results are
    /// observed again.
    pub revision: &'static str,
    /// The kind of its results; [`ObservationKind::made_of`] has the kinds of its inputs.
    pub makes: ObservationKind,
    /// Items that are in memory together, by default of [`Observer::batch`].
    pub batch: usize,
}

impl About {
    pub const fn of(name: &'static str, revision: &'static str, makes: ObservationKind, batch: usize) -> Self {
        About {
            name,
            revision,
            makes,
            batch,
        }
    }
}

/// A model that observes one item at a time.
pub trait Observer: Sync {
    /// Its input: an [`Image`](neurogauge_core::Image) or a text.
    type Item;
    /// Everything that affects its result, except the item.
    type Recipe: Serialize;
    type Model: ?Sized;
    /// A prepared item.
    type Input: Send;
    /// Its result for an item.
    type Output: Send;

    const ABOUT: About;
    /// Must a result be on disk before the next item is observed? Otherwise, results are stored while the model
    /// continues.
    const KEPT_AT_ONCE: bool = false;

    /// The identity of its model, to the byte.
    fn identity(&self) -> &ModelIdentity;
    /// Everything that affects its result, except the item.
    fn recipe(&self) -> &Self::Recipe;
    /// Reads the weights.
    fn load(&self) -> Result<Box<Self::Model>, Error>;
    /// The number of items that this model observes together.
    fn batch(&self, _model: &Self::Model) -> usize {
        Self::ABOUT.batch
    }
    /// Prepares an item, on one of several threads.
    fn prepare(&self, item: Self::Item) -> Result<Self::Input, ModelError>;
    /// The model's result for each input. `progress` may be called with the number of finished items.
    fn observe(
        &self,
        model: &Self::Model,
        inputs: &[Self::Input],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Self::Output>, ModelError>;
    /// Passes the model's result for each input, with its position, to `done`, by default all at once. An observer
    /// whose results arrive one by one and must be stored immediately overrides this.
    ///
    /// # Errors
    /// Errors that no single item causes; errors of `done`.
    fn observe_each(
        &self,
        model: &Self::Model,
        inputs: Vec<Self::Input>,
        progress: &(dyn Fn(usize) + Sync),
        done: &mut Done<'_, Self::Output>,
    ) -> Result<(), Error>
    where
        Self: Sized,
    {
        done(observe_batch(self, model, &inputs, progress)?.into_iter().enumerate().collect())
    }
}

/// Receives results, each with the position of its input.
pub type Done<'a, T> = dyn FnMut(Vec<(usize, Result<T, ModelError>)>) -> Result<(), Error> + 'a;
