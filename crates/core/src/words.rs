//! The words that files use for the variants of an enum, for options and arguments: with `-` instead of `_`.

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Error, Value, from_value};

/// The words of an enum without data, each once, in the order of its variants.
///
/// ```
/// use neurogauge_core::image::Arithmetic;
/// use neurogauge_core::words::{of_word, word_of, words};
///
/// assert_eq!(words::<Arithmetic>(), ["float", "eight-bit"]);
/// assert_eq!(of_word::<Arithmetic>("eight-bit").ok(), Some(Arithmetic::EightBit));
/// assert_eq!(word_of(&Arithmetic::EightBit), "eight-bit");
/// ```
pub fn words<T: DeserializeOwned>() -> Vec<String> {
    // serde lists the words when it refuses one.
    let refused = from_value::<T>(Value::from("")).err().map_or(String::new(), |error| error.to_string());
    let mut words: Vec<String> = refused.split('`').skip(3).step_by(2).map(|word| word.replace('_', "-")).collect();
    words.dedup();
    words
}

/// Is a value the default, which records leave out?
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The variant of a word.
///
/// # Errors
/// The word is none of [`words`].
pub fn of_word<T: DeserializeOwned>(word: &str) -> Result<T, Error> {
    from_value(Value::from(word))
        .or_else(|refused| from_value(Value::from(word.replace('-', "_"))).map_err(|_| refused))
}

pub fn word_of(variant: &impl Serialize) -> String {
    let written = serde_json::to_value(variant).unwrap_or_default();
    written.as_str().unwrap_or_default().replace('_', "-")
}

/// A choice among the variants of a library's enum, by the words that files use for them.
#[cfg(feature = "clap")]
pub fn choice<T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    let own = |word: &str| of_word::<T>(word).map(|value| word_of(&value)).unwrap_or_default();
    let (words, others): (Vec<String>, Vec<String>) = words::<T>().into_iter().partition(|word| own(word) == *word);
    let values = words.into_iter().map(|word| {
        let aliases: Vec<String> = others.iter().filter(|other| own(other) == word).cloned().collect();
        PossibleValue::new(word).aliases(aliases)
    });
    PossibleValuesParser::new(values).try_map(|word| of_word(&word))
}
