//! Numbers as text, the names of formats, and the sentence that says which is best.

use neurogauge_report::{Cell, Format, RankEstimate, Ranked, Ranking, Table, TestedDifference, fixed, interval_note};

/// The cell of a table with one number, in full precision.
fn shortest(value: f64) -> String {
    let table = Table::of("", [value]).column("", |value| Cell::number(*value)).noted(vec![]);
    let json: serde_json::Value = serde_json::from_str(&table.json()).unwrap();
    json["rows"][0][0].as_str().unwrap().to_owned()
}

fn percentage(level: f64) -> String {
    interval_note(level, "", "").split('%').next().unwrap().to_owned()
}

fn rank(rank: f64) -> String {
    let interval = (rank, rank);
    let cell = Cell::Rank(RankEstimate { rank, interval });
    let text = Table::of("", [cell]).column("", Cell::clone).noted(vec![]).text(None);
    text.trim().split(' ').next().unwrap().to_owned()
}

#[test]
fn what_rounds_to_zero_has_no_sign() {
    assert_eq!(fixed(-0.0, 3), "0.000");
    assert_eq!(fixed(-0.0004, 3), "0.000");
    assert_eq!(fixed(-0.0006, 3), "-0.001");
    assert_eq!(fixed(-0.4, 0), "0");
    assert_eq!(fixed(1.5, 70_000).len(), 19);
    assert_eq!(shortest(-0.0), "0.0");
}

#[test]
fn shortest_reads_back_to_the_same_bits() {
    for value in [0.1, 1.0 / 3.0, -2.5e-300, 6.02e23, f64::MIN_POSITIVE] {
        assert_eq!(shortest(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
    }
    assert_eq!(shortest(0.1), "0.1");
    assert_eq!(shortest(12.0), "12.0");
}

#[test]
fn levels_and_ranks_drop_what_says_nothing() {
    assert_eq!(percentage(0.95), "95");
    assert_eq!(percentage(0.999), "99.9");
    assert_eq!(percentage(0.9), "90");
    assert_eq!(rank(10.0), "10");
    assert_eq!(rank(1.5), "1.5");
    assert_eq!(rank(2.0 / 3.0), "0.67");
}

#[test]
fn names_read_back_and_strangers_are_told_the_choice() {
    for format in Format::ALL.into_iter().chain(Format::latex_styles()) {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "html".parse::<Format>().unwrap_err().to_string();
    assert_eq!(error, "unknown format \"html\"; expected one of table, json, csv, markdown, latex");
}

const RANKING: Ranking<'_> = Ranking {
    kind: "source",
    claim: "recovers most",
    quantity: "ProfileMean",
    correction: "Holm, 3 differences",
    alpha: 0.05,
    decimals: 3,
};

fn named(name: &str, value: f64) -> Ranked<'_> {
    Ranked {
        name,
        value,
        interval: Some((value - 0.1, value + 0.1)),
    }
}

#[test]
fn the_first_is_claimed_only_if_it_differs_from_every_other_one() {
    let ranked = [named("a", 0.5), named("b", 0.4), named("c", 0.3)];
    let of = |ps: [Option<f64>; 2]| {
        RANKING.sentence(&ranked, |other| {
            Some(TestedDifference {
                value: 0.1,
                interval: None,
                p: ps[other - 1],
            })
        })
    };
    assert!(of([Some(0.05), Some(0.0)]).starts_with("a recovers most: ProfileMean 0.500 [0.400, 0.600]. Next is b"));
    for ps in [[Some(0.0501), Some(0.0)], [Some(0.0), Some(0.06)], [Some(0.0), None], [None, None]] {
        assert!(of(ps).starts_with("It is not shown which source recovers most"), "{ps:?}");
    }
    assert!(RANKING.sentence(&ranked, |_| None).ends_with("(their difference is not tested)."));
    assert_eq!(RANKING.sentence(&ranked[..1], |_| None), "");
}
