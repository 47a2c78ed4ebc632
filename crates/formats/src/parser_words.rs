//! The reasons of parsers, in words that a person who never saw a parser understands.

use std::fmt::Display;

/// Words of the parsers at the beginning of a reason, and what they mean.
const MEANINGS: [(&str, &str); 18] = [
    ("EOF while parsing a list", "the file ends within a list"),
    ("EOF while parsing an object", "the file ends within an object"),
    ("EOF while parsing a string", "the file ends within a text"),
    ("EOF while parsing a value", "the file ends where a value is missing"),
    ("expected value", "this is not JSON"),
    ("expected ident", "this is not JSON"),
    ("expected `,` or `]`", "a comma or `]` is missing"),
    ("expected `,` or `}`", "a comma or `}` is missing"),
    ("expected `:`", "a colon is missing"),
    ("trailing comma", "a comma before a closing bracket"),
    ("trailing characters", "more text after the end of the JSON"),
    ("key must be a string", "a key without double quotation marks"),
    ("control character", "a line break or another control character within a text"),
    (
        "invalid escape",
        "a backslash before a character that needs none (a backslash itself is written twice)",
    ),
    ("number out of range", "a number too large to compute with"),
    ("invalid number", "a number written in another way than JSON's"),
    ("recursion limit exceeded", "lists or objects nested too deep"),
    ("data did not match any variant", "none of the forms that are read here"),
];

/// Reasons about escaped characters, which differ only in the fault of the escape.
const ESCAPES: [&str; 3] = ["lone leading surrogate", "unexpected end of hex escape", "invalid unicode code point"];

/// The reason of a parser of JSON in plain words, without its place.
pub fn of_json(error: &serde_json::Error) -> String {
    of_text(error, "an object")
}

/// The same for a text in whose format a value with keys is called `object`.
pub fn of_text(error: &serde_json::Error, object: &str) -> String {
    let words = error.to_string();
    let place = words.rfind(" at line ").unwrap_or(words.len());
    plain(&words[..place], object)
}

/// The reason of a library that decodes binary files: what is wrong with the file, and what to do.
pub fn of_decoder(reason: impl Display) -> &'static str {
    let reason = reason.to_string().to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&["end of file", "eof", "truncated", "fill whole buffer", "too short", "not enough"]) {
        "it ends too early, so it was cut short; write it again"
    } else if has(&["unsupported", "not supported", "does not support"]) {
        "it is of a kind that is not read; write it in another one"
    } else {
        "it is damaged or of another kind than its name says; write it again"
    }
}

/// The parser's reason in plain words: what was found, and what was expected if it is known. `object` is what the
/// format calls a value with keys, such as "an object" or "a table".
pub fn plain(reason: &str, object: &str) -> String {
    for start in ["invalid type: ", "invalid value: "] {
        if let Some((before, rest)) = reason.split_once(start)
            && let Some((found, wanted)) = rest.rsplit_once(", expected ")
        {
            return format!("{before}{}; expected {}", found_value(found, object), wanted_value(wanted, object));
        }
    }
    if let Some((before, rest)) = reason.split_once("invalid length ")
        && let Some((n, wanted)) = rest.split_once(", expected ")
    {
        return format!("{before}a list of {n}; expected {}", wanted_value(wanted, object));
    }
    if let Some((before, rest)) = reason.split_once("unknown field `")
        && let Some((key, known)) = rest.split_once('`')
    {
        return format!("{before}unknown key `{key}`{}", known.replacen(", ", "; ", 1));
    }
    if let Some((before, rest)) = reason.split_once("unknown variant `")
        && let Some((word, known)) = rest.split_once('`')
    {
        return format!("{before}unknown value `{word}`{}", known.replacen(", ", "; ", 1));
    }
    if let Some((before, rest)) = reason.split_once("missing field `") {
        return format!("{before}no key `{rest}");
    }
    if let Some((before, rest)) = reason.split_once("duplicate field `") {
        return format!("{before}the key `{rest} occurs twice");
    }
    if ESCAPES.iter().any(|escape| reason.starts_with(escape)) {
        return "an escape or a byte that is no character".to_owned();
    }
    let known = MEANINGS.iter().find(|(words, _)| reason.starts_with(words));
    known.map_or(reason, |(_, meaning)| meaning).to_owned()
}

/// A value as the parser names it, e.g. ``integer `3` ``.
fn found_value(found: &str, object: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "integer" => format!("the number {}", value.trim_matches('`')),
        "floating" => format!("the number {}", value.trim_start_matches("point ").trim_matches('`')),
        "boolean" => value.trim_matches('`').to_owned(),
        "string" => format!("the text {value}"),
        "sequence" => "a list".to_owned(),
        "map" => object.to_owned(),
        "unit" => "null".to_owned(),
        _ => found.to_owned(),
    }
}

/// What the parser wanted; the names of Rust's types are replaced by their meaning.
fn wanted_value(wanted: &str, object: &str) -> String {
    let length = |start: &str| wanted.strip_prefix(start).and_then(|rest| rest.split(' ').next());
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "a borrowed string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => object.to_owned(),
        "a boolean" => "true or false".to_owned(),
        _ if wanted.starts_with("struct ") => object.to_owned(),
        _ => match length("an array of length ").or(length("a tuple of size ")) {
            Some(length) => format!("a list of {length}"),
            None => wanted.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_parsers() {
        for (reason, words) in [
            ("invalid type: map, expected i64", "an object; expected a whole number"),
            (
                "invalid type: string \"a, expected b\", expected f64",
                "the text \"a, expected b\"; expected a number",
            ),
            ("invalid value: integer `-1`, expected u32", "the number -1; expected a whole number from 0 on"),
            ("\"b\": invalid length 2, expected an array of length 3", "\"b\": a list of 2; expected a list of 3"),
            ("missing field `counts`", "no key `counts`"),
            (
                "score: unknown field `a`, expected one of `b`, `c`",
                "score: unknown key `a`; expected one of `b`, `c`",
            ),
            ("unknown field `a`, there are no fields", "unknown key `a`; there are no fields"),
            ("key must be a string", "a key without double quotation marks"),
            ("the key \"a\" occurs twice", "the key \"a\" occurs twice"),
        ] {
            assert_eq!(plain(reason, "an object"), words);
        }
        assert_eq!(plain("invalid type: map, expected a string", "a table"), "a table; expected a text");
    }
}
