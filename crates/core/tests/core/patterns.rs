//! Patterns of names: which part of a name is the stimulus, the system or the subject.

use neurogauge_core::name_pattern::{StimulusPattern, SubjectPattern};
use neurogauge_core::pair::StemPattern;

#[test]
fn a_pattern_has_one_placeholder() {
    for text in [
        "{stem}",
        "{stem}_recon",
        "recon_{number}",
        "a{b}{stem}",
        "a={stem}=b",
        "*_{stem}/*=recon_{stem}",
        "{number}_*={number}",
    ] {
        let pattern: StemPattern = text.parse().unwrap();
        assert_eq!(pattern.to_string(), text);
    }
    for text in [
        "",
        "recon",
        "{stem}{stem}",
        "{stem}_{number}",
        "{ stem }",
        "{stem}={number}",
        "{stem}=recon={number}",
        "{stem}{stem}={stem}",
    ] {
        let error = text.parse::<StemPattern>().unwrap_err().to_string();
        assert!(error.contains("{stem}_recon"), "{error}");
    }
}

#[test]
fn numbers_are_compared_without_zeros_before_them() {
    let pattern: StemPattern = "{number}".parse().unwrap();
    assert_eq!(pattern.of_gt("0"), pattern.of_recon("000"));
    assert_ne!(pattern.of_gt("0"), pattern.of_recon("10"));
    assert_eq!(pattern.of_gt("img_0012.b"), Some("12"));
    assert_eq!(pattern.of_gt("COCO_val2014_000000397133"), None);
    assert_eq!(pattern.of_gt("cat"), None);
    assert_eq!(pattern.of_recon("-1"), None);
}

#[track_caller]
fn of_gt(pattern: &str, stem: &str, expected: Option<&str>) {
    let parsed: StemPattern = pattern.parse().unwrap();
    assert_eq!(parsed.of_gt(stem), expected, "{pattern} of {stem}");
}

#[test]
fn a_part_of_the_stimulus_stem_is_the_first_and_shortest() {
    let things = "00012_aircraft_carrier/aircraft_carrier_06s";
    of_gt("*_{stem}/*={stem}", things, Some("aircraft_carrier"));
    of_gt("{number}_*/*=recon_{number}", things, Some("12"));
    of_gt("{stem}/*={stem}", things, Some("00012_aircraft_carrier"));
    of_gt("*/{stem}={stem}", things, Some("aircraft_carrier_06s"));
    of_gt("*{number}s={number}", things, None);
    of_gt("*/*{number}s={number}", things, Some("6"));
    of_gt("*/*_{number}s={number}", things, Some("6"));
    of_gt("{stem}_*={stem}", "a_b_c", Some("a"));
    of_gt("*_{stem}_*={stem}", "a_b_c", Some("b"));
    of_gt("*_{stem}={stem}", "a_b_c", Some("b_c"));
    of_gt("é*{stem}*ß={stem}", "éa😀bß", Some("a"));
    of_gt("0{number}={number}", "0", None);
    of_gt("0{number}={number}", "000", Some(""));
    // Neither * nor the placeholder matches a slash.
    of_gt("*/{stem}={stem}", "a/b/c", None);
    of_gt("*/*/{stem}={stem}", "a/b/c", Some("c"));
    of_gt("{stem}={stem}", "a/b", None);
    of_gt("{stem}*={stem}", "", None);
    // If only the reconstruction is described, * is an ordinary character.
    let pattern: StemPattern = "*_{stem}".parse().unwrap();
    assert_eq!(pattern.of_recon("*_a"), Some("a"));
    assert_eq!(pattern.of_recon("b_a"), None);
}

#[test]
fn a_stem_of_another_form_stands_for_nothing() {
    let pattern: StemPattern = "recon_{stem}_v2".parse().unwrap();
    assert_eq!(pattern.of_recon("recon_é_v2"), Some("é"));
    for stem in ["recon__v2", "recon_v2", "é_v2", ""] {
        assert_eq!(pattern.of_recon(stem), None, "{stem}");
    }
}

#[test]
fn a_pattern_has_one_stimulus_and_at_most_one_star() {
    for text in ["{stimulus}", "*/{stimulus}", "{stimulus}_*.png", "a/{stimulus}"] {
        assert_eq!(text.parse::<StimulusPattern>().unwrap().to_string(), text);
    }
    for text in ["", "*", "{stimulus}{stimulus}", "*/{stimulus}/*", "*{stimulus}", "{stimulus}*"] {
        let error = text.parse::<StimulusPattern>().unwrap_err().to_string();
        assert!(error.contains("such as */{stimulus}"), "{error}");
    }
    let pattern: StimulusPattern = "sys*_{stimulus}.png".parse().unwrap();
    assert_eq!(pattern.of("sys_a_b_7.png"), Some("7"));
    assert_eq!(pattern.of("sys_a_b_.png"), None);
    assert_eq!(pattern.of("other_7.png"), None);
    let pattern: StimulusPattern = "{stimulus}/*".parse().unwrap();
    assert_eq!(pattern.of("7/a/b"), Some("7"));
}

#[test]
fn a_pattern_of_runs_has_a_system_and_a_subject() {
    for text in ["", "{system}", "s{subject}", "{system}{subject}", "{system}_*{subject}"] {
        let error = text.parse::<SubjectPattern>().unwrap_err().to_string();
        assert!(error.contains("such as {system}_s{subject}"), "{error}");
    }
    let of = |pattern: &str, run: &str| {
        let pattern: SubjectPattern = pattern.parse().unwrap();
        pattern.of(run).map(|(system, subject)| format!("{system} {subject}"))
    };
    let found = |pattern, run| of(pattern, run).unwrap_or_default();
    assert_eq!(found("{system}_s{subject}", "a/b_s1_s2/"), "b_s1 2");
    assert_eq!(found("{system}_s{subject}_*", "a_s1_seed42"), "a 1");
    assert_eq!(found("{subject}/{system}", "/runs/s1/mine"), "mine s1");
    assert_eq!(found("subj{subject}-{system}", "subj01-a-b"), "a-b 01");
    assert_eq!(of("{system}_s{subject}", "mine_s"), None);
    assert_eq!(of("{system}_s{subject}", "mine"), None);
}
