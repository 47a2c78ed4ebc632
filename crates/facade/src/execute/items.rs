//! Items to observe, and sinks of the results.

use crate::Error;
use crate::settings::Shard;
use neurogauge_core::Image;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::store::{ContentKey, Store};
use neurogauge_models::ModelError;
use std::ops::Range;
use std::path::Path;

/// Items that are observed one at a time, from any number of threads.
pub(crate) trait Items: Sync {
    /// The input of an observer.
    type Item;
    fn len(&self) -> usize;
    /// The positions of a shard's items.
    fn of_shard(&self, shard: Shard) -> Range<usize> {
        shard.items(self.len())
    }
    /// Reads an item.
    fn load(&self, index: usize) -> Result<Self::Item, Error>;
    /// Wraps a model's error with the name of the item.
    fn blame(&self, index: usize, source: ModelError) -> Error;
}

/// The images of a source, with their hashes.
#[derive(Clone, Copy)]
pub(crate) struct Images<'a> {
    pub(crate) source: &'a ImageSource,
    pub(crate) record: &'a InputRecord,
    /// Are they frames, whose names begin with those of their clips?
    pub(crate) are_frames: bool,
}

impl Items for Images<'_> {
    type Item = Image<f32>;

    fn len(&self) -> usize {
        self.source.len()
    }

    fn load(&self, index: usize) -> Result<Image<f32>, Error> {
        Ok(self.source.load(index)?)
    }

    fn blame(&self, index: usize, source: ModelError) -> Error {
        image_error(&self.source.stems()[index], self.source.path(), source)
    }
}

/// The images of a source, and the prompt for each.
pub(crate) struct PromptedImages<'a, T> {
    pub(crate) images: Images<'a>,
    /// One prompt per image, in their order; `None` for an image without a prompt.
    pub(crate) asked: Vec<Option<T>>,
    /// The reason why an image has no prompt.
    pub(crate) lacking: &'static str,
}

impl<T: Clone + Sync> Items for PromptedImages<'_, T> {
    type Item = (Image<f32>, T);

    fn len(&self) -> usize {
        self.images.len()
    }

    fn load(&self, index: usize) -> Result<Self::Item, Error> {
        let Some(asked) = self.asked[index].clone() else {
            return Err(self.blame(index, ModelError::item(self.lacking)));
        };
        Ok((self.images.load(index)?, asked))
    }

    fn blame(&self, index: usize, source: ModelError) -> Error {
        self.images.blame(index, source)
    }
}

/// The error for an image that a model cannot process.
pub(crate) fn image_error(stem: &str, images: &Path, source: ModelError) -> Error {
    match source {
        ModelError::PillowAntialias => Error::Model(source),
        source => Error::Image {
            stem: stem.to_owned(),
            path: images.to_owned(),
            source,
        },
    }
}

/// Distinct texts. A shard has all texts of its images.
pub(crate) struct Texts<'a>(pub(crate) Vec<&'a str>);

impl Items for Texts<'_> {
    type Item = String;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn of_shard(&self, _shard: Shard) -> Range<usize> {
        0..self.len()
    }

    fn load(&self, index: usize) -> Result<String, Error> {
        Ok(self.0[index].to_owned())
    }

    fn blame(&self, _index: usize, source: ModelError) -> Error {
        Error::Model(source)
    }
}

/// Receives results, on any thread.
pub(crate) trait Sink<T>: Send {
    /// Must this item still be observed?
    fn lacks(&self, item: usize) -> bool;
    /// A key that items of equal content share, so that one of them is observed for all. The sink stores the result for
    /// all.
    fn content(&self, _item: usize) -> Option<&str> {
        None
    }
    /// Fails if this result of an item cannot be stored; the item then counts as failed.
    fn check(&mut self, _item: usize, _result: &T) -> Result<(), Error> {
        Ok(())
    }
    /// Stores the results of some items, in order, before it returns.
    fn put(&mut self, results: Vec<(usize, T)>) -> Result<(), Error>;
}

/// A store, and the key of each item.
pub(crate) struct Keyed<'a, S: ?Sized> {
    pub(crate) keys: &'a [ContentKey],
    pub(crate) store: &'a mut S,
}

impl<T, S: Store<T> + Send + ?Sized> Sink<T> for Keyed<'_, S> {
    fn lacks(&self, item: usize) -> bool {
        !self.store.holds(&self.keys[item])
    }

    fn content(&self, item: usize) -> Option<&str> {
        Some(self.keys[item].as_str())
    }

    fn put(&mut self, results: Vec<(usize, T)>) -> Result<(), Error> {
        let entries = results.into_iter().map(|(item, result)| (self.keys[item].clone(), result));
        Ok(self.store.keep(entries.collect())?)
    }
}
