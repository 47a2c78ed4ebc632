//! Figures that compare systems.

use crate::tables::fixtures::{column, rank, row, three_systems, value};
use neurogauge_core::{Direction, Group};
use neurogauge_report::figures::{PairValues, SystemDifference, SystemFigures};
use neurogauge_report::{SystemRow, SystemTable};

/// Systems that share one rank.
fn table(n: usize) -> SystemTable {
    let row = |s: usize| SystemRow {
        rank: Some(vec![rank(1.0, 1.0, 2.0)]),
        ..row(&format!("s{s}"), vec![value(0.5, 0.4, 0.6)])
    };
    SystemTable {
        columns: vec![column("X", Direction::Higher, Group::LowLevel)],
        rows: (0..n).map(row).collect(),
        ..three_systems()
    }
}

#[test]
fn ranks_are_said_to_be_those_that_the_tests_leave_possible() {
    let table = table(2);
    let figures = SystemFigures {
        table: &table,
        differences: Vec::new(),
        n_differences: 0,
        pairs: Vec::new(),
    };
    let ranks = figures.draw().into_iter().find(|(name, _)| *name == "ranks").unwrap();
    let svg = ranks.1.unwrap().svg().replace("&apos;", "'");
    let words: Vec<&str> = svg.lines().filter(|line| !line.starts_with('<')).collect();
    // The caption stands between the title and the names.
    assert_eq!(
        words.join(" "),
        "Ranks 1 is best; equal systems share the mean of their ranks. Whiskers: the ranks that the paired tests leave \
         possible (Holm's correction, 5%). s0 s1 X ↑ 1 2"
    );
}

#[test]
fn of_a_thousand_systems_two_hundred_are_drawn() {
    let draw = |n: usize| {
        let table = table(n);
        let difference = |s: usize| SystemDifference {
            column: "x".to_owned(),
            label: format!("s0 − s{s}"),
            value: Some(0.1),
            interval: None,
        };
        let pairs = |s: usize| PairValues {
            column: "x".to_owned(),
            system: format!("s{s}"),
            values: vec![0.4, 0.6],
        };
        let figures = SystemFigures {
            table: &table,
            differences: (1..n).map(difference).take(SystemFigures::MOST_ROWS).collect(),
            n_differences: n - 1,
            pairs: (0..n).map(pairs).collect(),
        };
        figures.draw().into_iter().map(|(_, drawn)| drawn.unwrap().svg()).collect::<Vec<_>>()
    };
    for (few, many) in draw(200).iter().zip(draw(1000)) {
        assert!(!few.contains("The first"));
        assert!(many.contains("The first 200 of"));
        assert!(many.len() < few.len() + few.len() / 50);
    }
}
