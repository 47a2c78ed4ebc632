//! Numbers, intervals and words of values in records, and sentences with fields in braces.

use neurogauge::file_name;
use neurogauge::report::fixed;
use serde_json::{Value, json};

/// The number of a value: a number, a printed number, an estimate (`mean`) or an outcome (`value`).
pub(crate) fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(printed) => printed.replace('−', "-").parse().ok(),
        Value::Object(of) => ["mean", "value"].iter().find_map(|field| of.get(*field)).and_then(number_of),
        _ => None,
    }
}

/// The interval of an estimate, or two ends.
pub(crate) fn interval_of(value: &Value) -> Option<(f64, f64)> {
    match value.get("interval").unwrap_or(value).as_array()?.as_slice() {
        [low, high] => number_of(low).zip(number_of(high)),
        _ => None,
    }
}

/// The decimals of a printed number.
pub(crate) fn decimals_of(value: &Value) -> Option<usize> {
    match value {
        Value::String(printed) => Some(printed.split_once('.').map_or(0, |(_, behind)| behind.len())),
        value => value.as_u64().and_then(|n| usize::try_from(n).ok()),
    }
}

/// Is it there: neither null, false, nor empty?
pub(crate) fn is_there(value: &Value) -> bool {
    ![json!(null), json!(false), json!(""), json!([]), json!({})].contains(value)
}

/// The words of a value in a sentence; `None` if it has none. The form is `.N` (decimals), `%` or `N%` (a percentage
/// with its decimals, by default one), `e` (a power of ten), or `file` (letters of file names).
pub(crate) fn words_of(value: &Value, form: &str) -> Option<String> {
    if let (Some(Value::Null), Some(Value::String(reason))) = (value.get("value"), value.get("undefined")) {
        return Some(format!("undefined ({reason})"));
    }
    match (value, form) {
        (Value::String(words), "") => return Some(words.clone()),
        (Value::String(words), "file") => return Some(file_name(words)),
        (Value::Bool(is), _) => return Some(is.to_string()),
        (Value::Number(whole), "") if !whole.is_f64() => return Some(whole.to_string()),
        _ => {}
    }
    let number = number_of(value)?;
    Some(match (form.strip_suffix('%'), form.strip_prefix('.')) {
        _ if form == "e" => format!("{number:e}"),
        (Some(""), _) => format!("{}%", fixed(100.0 * number, 1)),
        (Some(decimals), _) => format!("{}%", fixed(100.0 * number, decimals.parse().ok()?)),
        (_, Some(decimals)) => fixed(number, decimals.parse().ok()?),
        _ => number.to_string(),
    })
}

/// A statistic of several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Statistic {
    N,
    Mean,
    Median,
    LowerQuartile,
    UpperQuartile,
    Lowest,
    Highest,
}

impl Statistic {
    /// The statistic; `None` of no value.
    pub(crate) fn of(self, values: &[f64]) -> Option<f64> {
        use neurogauge::stats::{mean, quantile};
        let at = |q| quantile(values, q).ok();
        match self {
            Statistic::N => Some(values.len() as f64),
            Statistic::Mean => mean(values.iter().copied()),
            Statistic::Median => at(0.5),
            Statistic::LowerQuartile => at(0.25),
            Statistic::UpperQuartile => at(0.75),
            Statistic::Lowest => at(0.0),
            Statistic::Highest => at(1.0),
        }
    }
}

/// The words of a sentence and what is in its braces, in turns. Braces within these belong to them.
pub(crate) fn pieces(sentence: &str) -> impl Iterator<Item = &str> {
    parted(sentence, |_, before, behind| before + behind == 1)
}

/// The parts between separators outside of braces.
pub(crate) fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    parted(text, move |letter, before, _| letter == separator && before == 0)
}

/// The parts between some letters, by the letter and how deep in braces the text is before and behind it.
fn parted(text: &str, is_end: impl Fn(char, i32, i32) -> bool) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |letter: char| {
        let before = depth;
        depth = (before + i32::from(letter == '{') - i32::from(letter == '}')).max(0);
        is_end(letter, before, depth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_intervals_and_words_are_read_from_all_forms() {
        let estimate = json!({"mean": 0.25, "interval": [0.125, 0.5], "n": 3});
        assert_eq!((number_of(&estimate), interval_of(&estimate)), (Some(0.25), Some((0.125, 0.5))));
        assert_eq!((number_of(&json!("−0.050")), decimals_of(&json!("−0.050"))), (Some(-0.05), Some(3)));
        assert_eq!(number_of(&json!({"value": null, "undefined": "too few"})), None);
        let words = [
            (json!(0.12345), ".2", "0.12"),
            (json!(0.7892), "%", "78.9%"),
            (json!(0.7892), "0%", "79%"),
            (json!(1000.0), "e", "1e3"),
            (json!(12), "", "12"),
            (json!(0.01), "", "0.01"),
            (json!("a b"), "file", "a_b"),
            (json!({"value": null, "undefined": "too few"}), ".3", "undefined (too few)"),
        ];
        for (value, form, expected) in words {
            assert_eq!(words_of(&value, form).as_deref(), Some(expected), "{value}");
        }
        assert_eq!(words_of(&json!(null), ""), None);
    }

    /// numpy: mean, quantile of [1, 2, 4, 9].
    #[test]
    fn statistics_are_those_of_numpy() {
        let values = [4.0, 1.0, 9.0, 2.0];
        let expected = [
            (Statistic::N, 4.0),
            (Statistic::Mean, 4.0),
            (Statistic::Median, 3.0),
            (Statistic::LowerQuartile, 1.75),
            (Statistic::UpperQuartile, 5.25),
            (Statistic::Lowest, 1.0),
            (Statistic::Highest, 9.0),
        ];
        for (statistic, expected) in expected {
            assert!((statistic.of(&values).unwrap() - expected).abs() < 1e-12, "{statistic:?}");
        }
        assert_eq!(Statistic::Mean.of(&[]), None);
    }

    #[test]
    fn a_sentence_is_words_and_fields_in_turns() {
        let found = |sentence| pieces(sentence).collect::<Vec<_>>();
        let expected = ["", "?a/0", "n = ", "n", ", r ", "/b/name={../x}/r:.2", ""];
        assert_eq!(found("{?a/0}n = {n}, r {/b/name={../x}/r:.2}"), expected);
        assert_eq!(found("a } {!x}"), ["a } ", "!x", ""]);
        assert_eq!(split("a/b={../c}/*", '/').collect::<Vec<_>>(), ["a", "b={../c}", "*"]);
    }
}
