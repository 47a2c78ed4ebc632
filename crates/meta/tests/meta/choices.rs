//! Choices in place of ratings: what is said of noise, of equal metrics and of a good one, and what is undefined.

use neurogauge::Report;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::report::Format;
use neurogauge::stats::StrengthUnit;
use neurogauge::stats::meta::{MetaOptions, Resampled};
use neurogauge_meta::{InMemoryTable, InMemoryTables, MetaRequest, MetaRun, meta_of};
use std::fmt::Write;

/// Approximately normal, with variance 1.
fn noise(of: &str, number: u64, place: usize) -> f64 {
    let draws = Synthetic::new(of, number);
    (0..3).map(|n| 2.0 * f64::from(draws.uniform(3 * place as u64 + n)) - 1.0).sum()
}

/// Choices of three people between the two systems of each of 40 stimuli, or between any two of 80 items; and metrics
/// with these shares of the quality. People choose by the quality, or at random.
fn survey(number: u64, shares: &[f64], people_know: bool, is_linked: bool, options: MetaOptions) -> MetaRun {
    const N: usize = 80;
    let id = |item: usize| format!("{}/{:02}", ["a", "b"][item % 2], item / 2);
    let draw = |at: usize, below: usize| {
        (f64::from(Synthetic::new("pairs", number).uniform(at as u64)) * below as f64) as usize
    };
    let mut choices = "left,right,rater,choice\n".to_owned();
    for pair in 0..160 {
        let (a, b) = match is_linked {
            true => (draw(2 * pair, N), draw(2 * pair + 1, N)),
            false => (2 * (pair % 40), 2 * (pair % 40) + 1),
        };
        if a != b {
            let quality = if people_know {
                noise("quality", number, a) - noise("quality", number, b)
            } else {
                0.0
            };
            let side = if quality + noise("choice", number, pair) > 0.0 {
                "left"
            } else {
                "right"
            };
            writeln!(choices, "{},{},p{},{side}", id(a), id(b), pair % 3).unwrap();
        }
    }
    let names: Vec<String> = (0..shares.len()).map(|metric| format!("m{metric}")).collect();
    let mut scores = format!("item,{}\n", names.join(","));
    for item in 0..N {
        scores += &id(item);
        for (metric, share) in (0..).zip(shares) {
            let own = noise("metric", 100 * number + metric, item);
            write!(scores, ",{}", share * noise("quality", number, item) + (1.0 - share) * own).unwrap();
        }
        scores.push('\n');
    }
    let table = |name: &str, text| InMemoryTable {
        name: name.to_owned(),
        text,
    };
    let held = InMemoryTables {
        human: Some(table("choices", choices)),
        metrics: vec![table("scores", scores)],
    };
    let request = MetaRequest {
        human: "choices".into(),
        higher_is_better: names,
        options: MetaOptions {
            permutations: 20,
            ..options
        },
        ..MetaRequest::default()
    };
    meta_of(&request, &held).unwrap()
}

fn n_claims(n: u64, shares: &[f64], people_know: bool) -> usize {
    let claims = |number: &u64| {
        let said = survey(*number, shares, people_know, false, MetaOptions::default()).opening().join(" ");
        assert!(said.contains("choices"), "{said}");
        !said.starts_with("It is not shown")
    };
    (0..n).filter(claims).count()
}

#[test]
fn noise_and_equal_metrics_are_not_claimed_to_agree_best() {
    // Random choices, and metrics of noise.
    assert!(n_claims(60, &[0.6], false) <= 5);
    assert!(n_claims(40, &[0.0; 6], true) <= 3);
    assert!(n_claims(60, &[0.6; 2], true) <= 7);
    assert!(n_claims(40, &[0.6; 4], true) <= 4);
}

#[test]
fn a_better_metric_is_said_to_agree_best() {
    assert!(n_claims(20, &[0.8], true) >= 19);
    let run = survey(1, &[0.1, 0.9], true, true, MetaOptions::default());
    let said = run.opening().join(" ");
    assert!(said.starts_with("m1 agrees best with people's choices: share of choices 0."), "{said}");
    assert!(
        said.contains("; Holm, 1 difference). A person agrees with the majority of the others in")
            || !said.contains("person")
    );
    let found = run.record.choices.as_ref().unwrap();
    assert_eq!(found.agreement.metrics[1].name, "m1");
}

#[test]
fn without_links_between_stimuli_only_shares_are_given() {
    for resampled in [Resampled::Items, Resampled::Raters, Resampled::Both] {
        let options = MetaOptions {
            resampled,
            ..MetaOptions::default()
        };
        let run = survey(2, &[0.2, 0.7], true, false, options);
        let found = run.record.choices.as_ref().unwrap();
        let reason = found.human.no_strengths.as_ref().unwrap();
        assert!(
            reason.starts_with("items fall into 40 groups that no choice links, such as those of \"a/00\""),
            "{reason}"
        );
        assert!(
            found.human.strengths.is_empty() && found.agreement.metrics.iter().all(|share| share.interval.is_some())
        );
        assert_eq!(run.record.result.n_stimuli, Some(40));
        assert_eq!(run.tables(Format::Markdown).len(), 2);
        assert!(run.record.findings.iter().any(|finding| finding.code == "no_strengths" && finding.is_warning()));
        assert!(run.full().is_some() && run.figures().is_ok());
    }
}

#[test]
fn strengths_are_human_scores() {
    // Each item beats the next and is beaten once by it, so that none always wins.
    let mut choices = "winner,loser,rater\n".to_owned();
    let mut scores = "item,m\n".to_owned();
    for item in 0..8 {
        writeln!(scores, "i{item},{}", -f64::from(item)).unwrap();
        for _ in 0..3 {
            writeln!(choices, "i{item},i{},ann", (item + 1) % 8).unwrap();
        }
        writeln!(choices, "i{},i{item},bob", (item + 1) % 8).unwrap();
    }
    let table = |name: &str, text: String| InMemoryTable {
        name: name.to_owned(),
        text,
    };
    // Without the choices between the last item and the first, which close the circle.
    let is_inner = |line: &&str| !(line.contains("i7") && line.contains("i0"));
    let choices: String = choices.lines().filter(is_inner).map(|line| format!("{line}\n")).collect();
    let held = InMemoryTables {
        human: Some(table("choices", choices)),
        metrics: vec![table("scores", scores)],
    };
    let request = MetaRequest {
        human: "choices".into(),
        higher_is_better: vec!["m".into()],
        ..MetaRequest::default()
    };
    let run = meta_of(&request, &held).unwrap();
    let found = run.record.choices.as_ref().unwrap();
    let steps = found.human.strengths.windows(2).map(|two| two[0].strength - two[1].strength);
    steps.for_each(|step| assert!((step - 3_f64.ln()).abs() < 1e-9, "{step}"));
    let tau = neurogauge::stats::meta::figure_of(
        &run.record.result.metrics[0].statistics,
        neurogauge::stats::meta::Statistic::KendallTauB,
    );
    assert!((tau.unwrap().value.clone().unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(found.agreement.metrics[0].value, Ok(0.75));
    let tables = run.tables(Format::Markdown);
    assert!(tables.len() > 2);
}

/// Three people choose four times each between two items, and prefer the first 3, 2 and 4 times: the odds are 9 to 3, so
/// each person moves the strengths, ± ln(3) / 2, by (k - 3) / 4.5 for k choices of the first, and the standard error is
/// √(3/2 · 2) / 4.5.
#[test]
fn strengths_have_intervals_over_raters() {
    let mut choices = "winner,loser,rater\n".to_owned();
    for (rater, n_first) in [("ann", 3), ("bob", 2), ("cem", 4)] {
        for choice in 0..4 {
            choices += &match choice < n_first {
                true => format!("x,y,{rater}\n"),
                false => format!("y,x,{rater}\n"),
            };
        }
    }
    let run_of = |choices: String| {
        let table = |name: &str, text: String| InMemoryTable {
            name: name.to_owned(),
            text,
        };
        let held = InMemoryTables {
            human: Some(table("choices", choices)),
            metrics: vec![table("scores", "item,m\nx,2\ny,1\n".to_owned())],
        };
        let request = MetaRequest {
            human: "choices".into(),
            higher_is_better: vec!["m".into()],
            ..MetaRequest::default()
        };
        meta_of(&request, &held).unwrap()
    };
    let run = run_of(choices.clone());
    let found = &run.record.choices.as_ref().unwrap().human;
    assert_eq!(found.intervals_over, Some(StrengthUnit::Raters));
    let (error, t) = (3_f64.sqrt() / 4.5, 4.302_652_73);
    for (own, strength) in found.strengths.iter().zip([3_f64.ln() / 2.0, -3_f64.ln() / 2.0]) {
        let (low, high) = own.interval.unwrap();
        assert!((own.strength - strength).abs() < 1e-9, "{own:?}");
        assert!((low - strength + t * error).abs() < 1e-6 && (high - strength - t * error).abs() < 1e-6, "{own:?}");
    }
    let printed = |run: &MetaRun| run.print(Format::Table, None).unwrap();
    let text = printed(&run);
    assert!(text.contains("Strengths of items") && text.contains("0.549 [-1.107, 2.205]"), "{text}");
    assert!(text.contains("all choices of one of the 3 raters count as one"), "{text}");
    // One person's choices are taken as independent, two say too little about others.
    let one = run_of(choices.replace("bob", "ann").replace("cem", "ann"));
    assert_eq!(one.record.choices.as_ref().unwrap().human.intervals_over, Some(StrengthUnit::Choices));
    let two = run_of(choices.replace("cem", "ann"));
    assert!(two.record.choices.as_ref().unwrap().human.strengths.iter().all(|own| own.interval.is_none()));
    assert!(printed(&two).contains("No intervals: 2 raters say too little about others."));
}
