//! Finds stimuli and subjects that several pairs or runs share, from their names.

use neurogauge_core::name_pattern::SubjectPattern;
use neurogauge_core::option_words::option;
use neurogauge_core::shared_stems::shared_stems;
use neurogauge_core::{Finding, Severity, first_names};

/// A finding that names of pairs suggest that several show one stimulus, although pairs are taken as independent.
/// `differ` means that the stimuli are known to differ, so that only the names are alike.
pub(crate) fn of_pairs(stems: &[String], differ: bool) -> Option<Finding> {
    let found = shared_stems(stems)?;
    let (severity, but) = match differ {
        true => (Severity::Note, ", and their stimuli differ"),
        false => (Severity::Warning, ""),
    };
    let message = format!("pairs are called as if several showed one stimulus, and are taken as independent{but}");
    let named = first_names(stems);
    let (n_stimuli, n_groups, separator) = (found.n_stimuli, found.n_groups, found.separator);
    let patterns = [format!("*{separator}{{stimulus}}"), format!("{{stimulus}}{separator}*")];
    let finding = Finding::new(severity, "shared_stems", "intervals", message)
        .on_evidence(format!("{named}: {n_groups} kinds of names share {n_stimuli} parts"))
        .advise(format!(
            "if they do, {} or {} of score says so, or intervals are too narrow",
            option("stimulus-pattern", &patterns[0]),
            option("stimulus-pattern", &patterns[1])
        ));
    Some(finding)
}

/// A message that names of runs suggest several subjects of one system, with the pattern that would group them.
pub(crate) fn of_runs(names: &[String], fits: impl Fn(&SubjectPattern) -> bool) -> Option<String> {
    let pattern = subject_patterns(names).find(|pattern| fits(pattern))?;
    Some(format!(
        "each run is taken as a system, and they are called as if several were subjects of one ({}); if they are, {} compares systems by \
         their means over subjects",
        first_names(names),
        option("subjects", &pattern.to_string())
    ))
}

/// Patterns that the first name could follow: with the letters before a subject's number or, if all names are crossed,
/// with any text as the subject.
fn subject_patterns(names: &[String]) -> impl Iterator<Item = SubjectPattern> {
    const SUBJECTS: [&str; 6] = ["subject", "subj", "sub", "s", "participant", "p"];
    let name = names.first().map_or("", String::as_str);
    let is_crossed = shared_stems(names).is_some();
    let letters = |text: &str| {
        let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let word = letters.trim_end_matches(['-', '_']).to_lowercase();
        let is_subject = letters.len() < text.len() && SUBJECTS.contains(&word.as_str());
        is_subject.then(|| letters.to_owned()).or(is_crossed.then(String::new))
    };
    let mut found = Vec::new();
    for (at, separator) in name.char_indices().filter(|(_, c)| !c.is_alphanumeric()) {
        let (before, after) = (&name[..at], &name[at + separator.len_utf8()..]);
        let last = letters(after).map(|own| (format!("{{system}}{separator}{own}{{subject}}"), own));
        let first = letters(before).map(|own| (format!("{own}{{subject}}{separator}{{system}}"), own));
        found.extend(last.into_iter().chain(first));
    }
    // If a word marks the part that is the subject, no other part is tried.
    let has_word = found.iter().any(|(_, own)| !own.is_empty());
    let found = found.into_iter().filter(move |(_, own)| !has_word || !own.is_empty());
    found.filter_map(|(pattern, _)| pattern.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn runs_of_several_subjects_are_recognised_by_their_names() {
        let said =
            |names: &[&str]| of_runs(&strings(names), |pattern| names.iter().all(|name| pattern.of(name).is_some()));
        let of = |names: &[&str]| {
            let said = said(names)?;
            Some(said.split("if they are, subjects ").nth(1)?.split(' ').next()?.to_owned())
        };
        assert_eq!(of(&["x_subj01", "x_subj02", "y_subj01", "y_subj02"]).as_deref(), Some("{system}_subj{subject}"));
        assert_eq!(of(&["mind_eye-S1", "mind_eye-S2"]).as_deref(), Some("{system}-S{subject}"));
        assert_eq!(of(&["sub-01_a", "sub-02_a"]).as_deref(), Some("sub-{subject}_{system}"));
        assert_eq!(of(&["a_1", "a_2", "b_1", "b_2"]).as_deref(), Some("{system}_{subject}"));
        // No system is called subj01, although several names contain it.
        let unequal = ["x-subj01", "x-subj02", "y-subj01", "z-subj01", "z-subj02"];
        assert_eq!(of(&unequal).as_deref(), Some("{system}-subj{subject}"));
        let other = |pattern: &SubjectPattern| !pattern.to_string().contains("subj{");
        assert_eq!(of_runs(&strings(&unequal), other), None);
        assert_eq!(said(&["sub-01_a", "b_02"]), None);
        assert_eq!(said(&["mine", "theirs"]), None);
        assert_eq!(said(&["mine_v2", "theirs_v1"]), None);
    }

    #[test]
    fn pairs_of_several_systems_are_recognised_by_their_names() {
        let stems = strings(&["a_01", "a_02", "a_03", "b_01", "b_02", "b_03"]);
        let found = of_pairs(&stems, false).unwrap();
        assert!(found.is_warning());
        assert_eq!(
            found.sentence(),
            "pairs are called as if several showed one stimulus, and are taken as independent (a_01, a_02, a_03 and 3 more: 2 kinds of \
             names share 3 parts); if they do, stimulus-pattern *_{stimulus} or stimulus-pattern {stimulus}_* of score says so, or \
             intervals are too narrow"
        );
        assert!(!of_pairs(&stems, true).unwrap().is_warning());
        assert_eq!(of_pairs(&strings(&["01", "02", "03"]), false), None);
    }
}
