//! What an observer is: a model that describes one item at a time.

use super::observe_batch;
use crate::Error;
use neurogauge_core::{ModelIdentity, ObservationKind};
use neurogauge_models::ModelError;
use serde::Serialize;

/// What an observer is, whatever its weights and options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name, which keys hold.
    pub name: &'static str,
    /// Raised whenever the same recipe gives something else; keys hold it, so what was kept before is observed anew.
    pub revision: &'static str,
    /// What it makes; [`ObservationKind::made_of`] says of what.
    pub makes: ObservationKind,
    /// Items that are in memory together, unless [`Observer::batch`] says otherwise.
    pub batch: usize,
}

/// A model that observes one item at a time.
pub trait Observer: Sync {
    /// What it observes: an [`Image`](neurogauge_core::Image) or a text.
    type Item;
    /// All that decides what it makes, but the item.
    type Recipe: Serialize;
    /// A model that is in memory.
    type Model: ?Sized;
    /// An item as the model takes it.
    type Input: Send;
    /// What it makes of an item.
    type Output: Send;

    /// What it is.
    const ABOUT: About;
    /// Must a result be on disk before the next is asked for? Others are kept while the model goes on.
    const KEPT_AT_ONCE: bool = false;

    /// Which model it is, to the byte.
    fn identity(&self) -> &ModelIdentity;
    /// All that decides what it makes, but the item.
    fn recipe(&self) -> &Self::Recipe;
    /// Reads the weights.
    ///
    /// # Errors
    /// Weights that are absent or do not fit.
    fn load(&self) -> Result<Box<Self::Model>, Error>;
    /// Items that this model is given together.
    fn batch(&self, _model: &Self::Model) -> usize {
        Self::ABOUT.batch
    }
    /// Prepares an item, on one of several threads.
    ///
    /// # Errors
    /// An item that the model cannot take.
    fn prepare(&self, item: Self::Item) -> Result<Self::Input, ModelError>;
    /// What the model makes of each; `progress` may be told of items as they are finished.
    ///
    /// # Errors
    /// Where one item is at fault, the others are observed by themselves.
    fn observe(
        &self,
        model: &Self::Model,
        inputs: &[Self::Input],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Self::Output>, ModelError>;
    /// Hands over what the model makes of each input, by its place among them: all together, unless results come one by one and
    /// each is to be kept as it comes.
    ///
    /// # Errors
    /// What no single item is to blame for; what `done` gives.
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
        let all = observe_batch(self, model, &inputs, progress)?;
        done(all.into_iter().enumerate().collect())
    }
}

/// Takes results, each with the place of its input.
pub type Done<'a, T> = dyn FnMut(Vec<(usize, Result<T, ModelError>)>) -> Result<(), Error> + 'a;
