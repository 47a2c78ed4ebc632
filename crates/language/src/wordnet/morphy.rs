//! Regular endings: how a form may be derived from a base form.

use neurogauge_core::PartOfSpeech;

/// Endings, and their replacements in the base form. As in NLTK, `ves` becomes `f`, and no rule handles doubled
/// letters.
pub(super) fn endings(part: PartOfSpeech) -> &'static [(&'static str, &'static str)] {
    match part {
        PartOfSpeech::Noun => &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        PartOfSpeech::Verb => {
            &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")]
        }
        PartOfSpeech::Adjective => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        PartOfSpeech::Adverb => &[],
    }
}

/// Every form that a single rule makes from `form`, in the order of the rules.
pub(super) fn regular_bases(form: &str, part: PartOfSpeech) -> impl Iterator<Item = String> {
    endings(part).iter().filter_map(move |(ending, base)| {
        let stem = form.strip_suffix(ending)?;
        Some(format!("{stem}{base}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_applied_once() {
        let bases = |form, part| regular_bases(form, part).collect::<Vec<_>>();
        assert_eq!(bases("wolves", PartOfSpeech::Noun), ["wolve", "wolf"]);
        assert_eq!(bases("taxes", PartOfSpeech::Noun), ["taxe", "tax"]);
        assert_eq!(bases("hopes", PartOfSpeech::Verb), ["hope", "hope", "hop"]);
        assert_eq!(bases("nicer", PartOfSpeech::Adjective), ["nic", "nice"]);
        assert!(bases("quickly", PartOfSpeech::Adverb).is_empty());
    }
}
