//! Paths that name several files: `{subject}`, and `{01..15}`.

use crate::{FormatError, Problem};
use std::path::{Path, PathBuf};

/// The placeholders of a target's names in paths.
const NAMES: [&str; 3] = ["{subject}", "{hemisphere}", "{roi}"];
/// The most files in a range.
const MOST: u64 = 10_000;

pub(super) fn filled(path: &Path, names: [&String; 3]) -> PathBuf {
    let mut text = path.to_string_lossy().into_owned();
    for (mark, name) in NAMES.iter().zip(names) {
        text = text.replace(mark, name);
    }
    PathBuf::from(text)
}

/// The paths of a range such as `ses-{01..15}.nii.gz`, with the same number of digits; the path itself if it has no
/// range.
pub(super) fn range(path: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let text = path.to_string_lossy();
    let Some((before, first, last, after)) = parts(&text) else {
        return Ok(vec![path.to_owned()]);
    };
    let ends = (first.parse::<u64>(), last.parse::<u64>());
    let numbers = match ends {
        (Ok(from), Ok(to)) if from <= to && to - from < MOST => from..=to,
        _ => {
            let reason = "expected the first and the last number of the files, ascending, such as {01..15}";
            return Err(Problem::invalid(format!("the range {{{first}..{last}}}"), reason).at(path));
        }
    };
    let width = first.len();
    Ok(numbers.map(|number| PathBuf::from(format!("{before}{number:0width$}{after}"))).collect())
}

/// The text before, in and after the braces.
fn parts(text: &str) -> Option<(&str, &str, &str, &str)> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.match_indices('{').find_map(|(open, _)| {
        let (inside, after) = text[open + 1..].split_once('}')?;
        let (first, last) = inside.split_once("..")?;
        (is_number(first) && is_number(last)).then_some((&text[..open], first, last, after))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn paths(text: &str) -> Vec<String> {
        range(Path::new(text)).unwrap().into_iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn ranges_keep_their_digits() {
        assert_eq!(paths("a_{08..10}.nii"), ["a_08.nii", "a_09.nii", "a_10.nii"]);
        assert_eq!(paths("{9..10}"), ["9", "10"]);
        assert_eq!(paths("{x}/{2..2}{3..4}"), ["{x}/2{3..4}"]);
        assert_eq!(paths("{a..b}"), ["{a..b}"]);
        for wrong in ["{3..2}", "{1..99999}", "{1..99999999999999999999}"] {
            let error = range(Path::new(wrong)).unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("{01..15}"), "{error}");
        }
    }

    #[test]
    fn names_are_filled_in() {
        let names = ["CSI1", "LH", "PPA"].map(String::from);
        let names = [&names[0], &names[1], &names[2]];
        let path = filled(Path::new("{subject}/{subject}.mat:{hemisphere}{roi}"), names);
        assert_eq!(path, Path::new("CSI1/CSI1.mat:LHPPA"));
    }
}
