//! A value or a list of them.

use serde::{Deserialize, Serialize};

/// What a configuration gives as a value or as a list; written as it is simplest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub enum OneOrMore<T> {
    /// A single value.
    One(T),
    /// A list.
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    /// The values.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one).iter(),
            OneOrMore::More(several) => several.iter(),
        }
    }

    /// The values, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        match self {
            OneOrMore::One(one) => std::slice::from_mut(one).iter_mut(),
            OneOrMore::More(several) => several.iter_mut(),
        }
    }
}

impl<T: Default> Default for OneOrMore<T> {
    fn default() -> Self {
        OneOrMore::One(T::default())
    }
}
