//! Our own parameters, for users who have none: a short list of English abbreviations, and of words that begin a
//! sentence if they are capitalised after one.

use super::parameters::{Contexts, PunktParameters};

/// The list omits abbreviations that are also words ("no.", "sat.", "sun."), and units that are written without a full
/// stop.
const ABBREVIATIONS: &str = "mr mrs ms dr prof rev st mt sr jr gen col capt lt sgt gov messrs \
    vs etc e.g i.e cf ca al approx dept inc ltd corp bros ave blvd \
    a.m p.m u.s u.k u.s.a d.c ph.d m.d hr hrs mins yr yrs lb lbs oz \
    jan feb apr aug sept oct nov dec tues thurs";

const STARTERS: &str = "the a an this that these those there here it he she they we you i \
    his her their its one two three four several some many both another each \
    in on at behind beside above below near under to from with while";

/// Does a word, in lower case, begin sentences?
pub(crate) fn is_starter(word: &str) -> bool {
    STARTERS.split_whitespace().any(|starter| starter == word)
}

impl PunktParameters {
    /// The parameters for users who have none.
    pub(super) fn own() -> Self {
        let words = |list: &str| list.split_whitespace().map(str::to_owned).collect();
        let seen = Contexts::FIRST_UPPER.and(Contexts::INSIDE_LOWER);
        Self {
            abbreviations: words(ABBREVIATIONS),
            starters: words(STARTERS),
            contexts: STARTERS.split_whitespace().map(|word| (word.to_owned(), seen)).collect(),
            ..Self::default()
        }
    }
}
