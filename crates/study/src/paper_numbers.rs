//! The content of the papers' tables and figures in words, and their numbers.

/// The content of each. Headings add the system; missing items are listed without one.
const CONTENTS: [(&str, &str); 20] = [
    ("Table 1", "agreement with people"),
    ("Table 2", "agreement with people for a second system"),
    ("Table 3", "objects that a vision-language model names"),
    ("Table 4", "Object F1 with size, location and number"),
    ("Table 5", "parts of SEED and their averages"),
    ("Section 5.3", "pairs of the same and of different class"),
    ("Figure 3", "SEED with other components"),
    ("Figure 4", "worst cases of the parts of SEED"),
    ("Figure 5", "semantic near misses"),
    ("Figure 6", "right objects, wrong details"),
    ("Figure 8", "averages of two metrics"),
    ("Figure 9", "worst cases of groups of metrics"),
    ("Figure 10", "pairs that all parts of SEED misjudge"),
    ("v1 Table 3", "means beside published ones"),
    ("Table 6", "systems by metrics"),
    ("BASIC Table 1", "BASIC-H by dimension"),
    ("BASIC Tables 2, 3 and S2", "means beside published ones"),
    ("BASIC Figure 2", "BASIC-H against BASIC-L"),
    ("BASIC Figure S2", "stimuli by systems"),
    ("BASIC Figure S4", "BASIC by level"),
];

/// The content of a table or figure; its number if it has no entry.
pub(crate) fn content(paper: &'static str) -> &'static str {
    let found = CONTENTS.iter().find(|(number, _)| *number == paper);
    let content = found.map(|(_, content)| *content);
    // The text after a colon names the part of a figure.
    content.unwrap_or_else(|| paper.rsplit(": ").next().unwrap_or(paper))
}

/// Its number with the paper's name; numbers without one are SEED's. `None` for content that has no single place in a
/// paper.
pub(crate) fn numbered(paper: &str) -> Option<String> {
    let (number, _) = paper.split_once(": ").unwrap_or((paper, ""));
    match number {
        "" | "BASIC" => None,
        other if other.starts_with("BASIC") => Some(other.to_owned()),
        other => Some(format!("SEED {other}")),
    }
}

/// Words followed by the number.
pub(crate) fn with_number(words: &str, paper: &str) -> String {
    match numbered(paper) {
        Some(number) => format!("{words} ({number})"),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_behind_the_words() {
        assert_eq!(content("Figure 5"), "semantic near misses");
        assert_eq!(with_number("Agreement with people: a", "Table 1"), "Agreement with people: a (SEED Table 1)");
        assert_eq!(with_number("By level", "BASIC Figure S4"), "By level (BASIC Figure S4)");
        assert_eq!(with_number("BASIC", "BASIC"), "BASIC");
        let rankings = "BASIC Figure 3: rankings";
        assert_eq!(with_number(content(rankings), rankings), "rankings (BASIC Figure 3)");
    }
}
