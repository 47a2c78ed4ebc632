//! What a convention's values look like: how they are read, printed, and described.

use neurogauge_core::option_values::{Count, OwnOr, Size};
use neurogauge_core::words::{of_word, word_of, words};
use neurogauge_models::registry::did_you_mean;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::str::FromStr;

type Read<T> = Box<dyn Fn(&str) -> Result<T, String> + Send + Sync>;
type Print<T> = Box<dyn Fn(&T) -> String + Send + Sync>;

/// How the values of one type are written.
pub(super) struct Values<T> {
    /// Stands for a value in help: `PX`, `on|off`.
    pub(super) form: String,
    /// All values, if they are a few words.
    pub(super) words: Vec<String>,
    pub(super) read: Read<T>,
    pub(super) print: Print<T>,
}

impl<T> Values<T> {
    /// Values that are no list of words.
    pub(super) fn of(
        form: &str,
        read: impl Fn(&str) -> Result<T, String> + Send + Sync + 'static,
        print: impl Fn(&T) -> String + Send + Sync + 'static,
    ) -> Self {
        Values {
            form: form.to_owned(),
            words: Vec::new(),
            read: Box::new(read),
            print: Box::new(print),
        }
    }
}

/// The variants of an enum, by the words that files use for them.
pub(super) fn word<T: Serialize + DeserializeOwned + 'static>() -> Values<T> {
    // Other words for the same variants are read and not listed.
    let is_own = |word: &String| of_word::<T>(word).is_ok_and(|value| word_of(&value) == *word);
    let words: Vec<String> = words::<T>().into_iter().filter(is_own).collect();
    let known = words.clone();
    let expected = move |text: &str| {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        format!("expected one of {}{}", known.join(", "), did_you_mean(text, &known))
    };
    Values {
        form: words.join("|"),
        words,
        read: Box::new(move |text| of_word(text).map_err(|_| expected(text))),
        print: Box::new(|value: &T| word_of(value)),
    }
}

/// Two words: the first means true.
pub(super) fn either(yes: &'static str, no: &'static str) -> Values<bool> {
    Values {
        form: format!("{yes}|{no}"),
        words: vec![yes.to_owned(), no.to_owned()],
        read: Box::new(move |text| match text {
            text if text == yes => Ok(true),
            text if text == no => Ok(false),
            _ => Err(format!("expected {yes} or {no}")),
        }),
        print: Box::new(move |is_yes| if *is_yes { yes } else { no }.to_owned()),
    }
}

pub(super) fn switch() -> Values<bool> {
    either("on", "off")
}

/// A whole number from 1 to `MOST`.
pub(super) fn count<const MOST: usize, T: From<Count<MOST>> + ToString + 'static>(form: &str) -> Values<T> {
    of_parsed::<Count<MOST>, T>(form)
}

/// A number of the kind `N`, which knows its bounds.
pub(super) fn number<N: FromStr<Err = String> + Into<f64> + 'static>(form: &str) -> Values<f64> {
    of_parsed_with::<N, f64>(form, N::into)
}

fn of_parsed<P: FromStr<Err = String> + 'static, T: From<P> + ToString + 'static>(form: &str) -> Values<T> {
    of_parsed_with::<P, T>(form, T::from)
}

fn of_parsed_with<P: FromStr<Err = String> + 'static, T: ToString + 'static>(
    form: &str,
    convert: fn(P) -> T,
) -> Values<T> {
    Values::of(form, move |text| text.parse().map(convert), T::to_string)
}

/// A value that parses itself and prints as it is parsed.
pub(super) fn itself<T: FromStr + ToString + 'static>(form: &str) -> Values<T>
where
    T::Err: ToString,
{
    Values::of(form, |text| text.parse().map_err(|error: T::Err| error.to_string()), T::to_string)
}

/// A length in px, or each image's own.
pub(super) fn own_or<const MOST: usize>(form: &str) -> Values<Option<usize>> {
    let print = |size: &Option<usize>| size.map_or_else(|| "own".to_owned(), |px| px.to_string());
    Values::of(form, |text| text.parse().map(|OwnOr::<MOST>(size)| size), print)
}

/// Width and height, px.
pub(super) fn size() -> Values<(f64, f64)> {
    let print = |(width, height): &(f64, f64)| format!("{width}x{height}");
    Values::of("WxH", |text| text.replace(',', "x").parse().map(|Size(size)| size), print)
}

/// Numbers of the kind `N`, separated by commas.
pub(super) fn numbers<N: FromStr<Err = String> + Into<f64> + 'static>(form: &str) -> Values<Vec<f64>> {
    let read = |text: &str| text.split(',').map(|part| part.trim().parse().map(N::into)).collect();
    Values::of(form, read, |numbers: &Vec<f64>| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", "))
}

/// A value that may be absent, which is printed and set as `absent`.
pub(super) fn optional<T: 'static>(absent: &'static str, inner: Values<T>) -> Values<Option<T>> {
    let Values {
        form,
        words,
        read,
        print,
    } = inner;
    Values {
        form,
        words,
        read: Box::new(move |text| if text == absent { Ok(None) } else { read(text).map(Some) }),
        print: Box::new(move |value| value.as_ref().map_or_else(|| absent.to_owned(), &print)),
    }
}
