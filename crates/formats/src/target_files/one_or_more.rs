//! A single value or a list.

use serde::{Deserialize, Deserializer, Serialize};

/// A value or a list in a configuration; written in the simpler form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub enum OneOrMore<T> {
    /// A single value.
    One(T),
    More(Vec<T>),
}

/// A value or a list, read as a list: for `#[serde(deserialize_with)]` of a list that may be given as a single value.
pub fn as_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Vec<T>, D::Error> {
    Ok(match OneOrMore::deserialize(input)? {
        OneOrMore::One(one) => vec![one],
        OneOrMore::More(several) => several,
    })
}

impl<T> OneOrMore<T> {
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one).iter(),
            OneOrMore::More(several) => several.iter(),
        }
    }

    /// The values, mutable.
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
