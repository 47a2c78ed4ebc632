//! Sentences with fields in braces.

/// A part of a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Words(&'a str),
    /// `{path}` or `{path:form}`.
    Field {
        path: &'a str,
        form: &'a str,
    },
    /// `{?condition}` or `{!condition}`: without it, the sentence is left out.
    If(&'a str),
}

/// The pieces of a sentence. Braces within a field belong to its path.
pub(crate) fn pieces(sentence: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, byte) in sentence.bytes().enumerate() {
        match byte {
            b'{' => {
                if depth == 0 && at > from {
                    found.push(Piece::Words(&sentence[from..at]));
                }
                from = if depth == 0 { at + 1 } else { from };
                depth += 1;
            }
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push(field(&sentence[from..at]));
                    from = at + 1;
                }
            }
            _ => {}
        }
    }
    if from < sentence.len() {
        found.push(Piece::Words(&sentence[from..]));
    }
    found
}

fn field(inside: &str) -> Piece<'_> {
    if let Some(condition) = inside.strip_prefix('?') {
        return Piece::If(condition);
    }
    if inside.starts_with('!') {
        return Piece::If(inside);
    }
    let (path, form) = inside.rsplit_once(':').filter(|(_, form)| !form.contains(['/', '}'])).unwrap_or((inside, ""));
    Piece::Field { path, form }
}

/// The parts between separators outside of braces.
pub(crate) fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |letter: char| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == separator && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_words_fields_and_conditions() {
        let found = pieces("{?a/0}n = {n}, r {/b/name={../x}/r:.2}");
        let field = |path, form| Piece::Field { path, form };
        let expected = [
            Piece::If("a/0"),
            Piece::Words("n = "),
            field("n", ""),
            Piece::Words(", r "),
            field("/b/name={../x}/r", ".2"),
        ];
        assert_eq!(found, expected);
        assert_eq!(pieces("{!x}"), [Piece::If("!x")]);
        assert_eq!(split("a/b={../c}/*", '/').collect::<Vec<_>>(), ["a", "b={../c}", "*"]);
    }
}
