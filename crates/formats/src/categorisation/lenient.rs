//! Reads JSON with the extras that language models add.

use std::ops::Range;

/// The JSON within an answer. Text outside a fenced block (if there is one) and commas before a closing bracket are
/// replaced by spaces, so that errors keep their line and column.
pub(super) fn cleaned(answer: &str) -> Result<String, String> {
    let mut bytes = answer.as_bytes().to_vec();
    if let Some(block) = fenced(answer)? {
        blank(&mut bytes[..block.start]);
        blank(&mut bytes[block.end..]);
    } else if answer.starts_with('\u{feff}') {
        blank(&mut bytes[..'\u{feff}'.len_utf8()]);
    }
    let (mut in_text, mut escaped) = (false, false);
    // The last byte that is not a space, and its position.
    let mut last = (b'[', 0);
    for place in 0..bytes.len() {
        let byte = bytes[place];
        if in_text {
            in_text = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b']' | b'}' if last.0 == b',' => bytes[last.1] = b' ',
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            // A comma that follows no element is not ignored.
            let follows_nothing = byte == b',' && matches!(last.0, b',' | b'[' | b'{');
            last = (if follows_nothing { b'[' } else { byte }, place);
        }
    }
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// The position of the content in the only fenced block of an answer; `None` if it has no fences.
///
/// # Errors
/// The answer has one fence, or more than two.
pub fn fenced(answer: &str) -> Result<Option<Range<usize>>, String> {
    const FENCE: &str = "```";
    let fences: Vec<usize> = answer.match_indices(FENCE).map(|(at, _)| at).collect();
    match fences[..] {
        [] => Ok(None),
        [open, close] => {
            let content = &answer[open + FENCE.len()..close];
            let rest = content.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
            // The word after the opening fence is a language, e.g. "json". If others follow in the line, it is content.
            let is_language = rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n', '{', '[']);
            let start = if is_language {
                close - rest.len()
            } else {
                open + FENCE.len()
            };
            Ok(Some(start..close))
        }
        _ => Err(format!("{} code fences (```); expected none, or one block", fences.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_commas_are_blanked_in_place() {
        let answer = "Here:\n```json\n{\"a\": [1, 2,],\n}\n```\nGood?";
        let cleaned = cleaned(answer).unwrap();
        assert_eq!(cleaned.len(), answer.len());
        assert_eq!(cleaned.trim(), "{\"a\": [1, 2 ] \n}");
        assert_eq!(cleaned.lines().count(), answer.lines().count());
    }

    #[test]
    fn the_word_behind_a_fence_is_content_if_words_follow_it() {
        for (answer, expected) in [
            ("```json {\"a\": 1}```", " {\"a\": 1}"),
            ("```text\r\nEXIT\n```", "\r\nEXIT\n"),
            ("```EXIT```", "EXIT"),
            ("```EXIT 5```", "EXIT 5"),
        ] {
            assert_eq!(&answer[fenced(answer).unwrap().unwrap()], expected);
        }
        assert_eq!(fenced("EXIT"), Ok(None));
    }

    #[test]
    fn commas_within_texts_stay() {
        let answer = r#"{"a": ",]", "b": "\",}", "c": "``"}"#;
        assert_eq!(cleaned(answer).unwrap(), answer);
    }

    #[test]
    fn two_commas_or_two_blocks_are_not_understood() {
        for kept in ["[1,,]", "[,]", "{,}"] {
            assert_eq!(cleaned(kept).unwrap(), kept);
        }
        assert!(cleaned("```{}``` or ```{}```").is_err());
        assert!(cleaned("```json\n{}").is_err());
    }
}
