//! Intervals of Bradley-Terry strengths: raters with a taste of their own choose between items.

use super::experiments;
use super::populations::Draws;
use super::rates::{Rate, Rates, write_part};
use crate::support::*;

const N_ITEMS: usize = 12;

/// How raters choose.
#[derive(Clone, Copy)]
struct People {
    /// The standard deviation of a rater's taste for an item; that of the items' quality is 1.
    taste: f64,
    /// The share of the pairs of items that each is asked about.
    asked: f64,
}

impl People {
    fn choices(self, n_raters: usize, number: usize) -> Vec<Choice> {
        let mut quality = Draws::of(83, 0);
        let quality: Vec<f64> = (0..N_ITEMS).map(|_| quality.normal()).collect();
        let mut draws = Draws::of(89, number);
        let mut choices = Vec::new();
        for rater in 0..n_raters {
            let liked: Vec<f64> = quality.iter().map(|own| own + self.taste * draws.normal()).collect();
            for first in 0..N_ITEMS {
                for second in first + 1..N_ITEMS {
                    let is_asked = draws.uniform() < self.asked;
                    let is_first = draws.uniform() < 1.0 / (1.0 + (liked[second] - liked[first]).exp());
                    let preferred = if is_first {
                        Preference::First
                    } else {
                        Preference::Second
                    };
                    choices.extend(is_asked.then_some(Choice {
                        first,
                        second,
                        rater,
                        preferred,
                    }));
                }
            }
        }
        choices
    }

    /// How often intervals hold the strengths of very many raters: over raters, and with each choice as another rater's.
    fn coverage(self, n_raters: usize, n_experiments: usize) -> [Rate; 2] {
        let truth = bradley_terry(N_ITEMS, &self.choices(6000, 1 << 40)).unwrap();
        let experiment = |number: usize| {
            let choices = self.choices(n_raters, number);
            let strengths = bradley_terry(N_ITEMS, &choices).ok();
            let each_its_own = choices.iter().enumerate().map(|(rater, choice)| Choice { rater, ..*choice }).collect();
            [choices, each_its_own].map(|choices: Vec<Choice>| {
                let found = strengths.as_ref().and_then(|own| strength_intervals(own, &choices, 0.95));
                let holds = |item: usize| {
                    found
                        .as_ref()
                        .map(|found| (found.intervals[item].0..=found.intervals[item].1).contains(&truth[item]))
                };
                (0..N_ITEMS).map(holds).collect::<Vec<Option<bool>>>()
            })
        };
        let found: Vec<[Vec<Option<bool>>; 2]> = (0..n_experiments).into_par_iter().map(experiment).collect();
        [0, 1].map(|over| Rate::of(&found.iter().flat_map(|found| found[over].clone()).collect::<Vec<_>>()))
    }
}

const TASTES: People = People { taste: 1.0, asked: 1.0 };

/// Items of one survey are dependent, so bounds are wider than for as many independent intervals.
#[test]
fn intervals_of_strengths_cover_over_raters_and_not_over_choices() {
    let [raters, choices] = TASTES.coverage(5, experiments(400));
    assert!((0.93..0.98).contains(&raters.share()), "{raters:?}");
    // Taken as independent, choices say too much.
    assert!(choices.share() < 0.85, "{choices:?}");
    // Without tastes both are right; a single rater's choices are then the units.
    let alike = People { taste: 0.0, asked: 0.5 };
    for rate in alike.coverage(10, experiments(400)) {
        assert!((0.93..0.97).contains(&rate.share()), "{rate:?}");
    }
    let [one, _] = People { asked: 1.0, ..alike }.coverage(1, experiments(200));
    assert!((0.9..0.98).contains(&one.share()), "{one:?}");
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_strengths() {
    const N_RATERS: [usize; 4] = [3, 5, 10, 30];
    let title = "95% intervals of the strengths of 12 items that hold those of very many raters, in %, by the number of raters.";
    let mut table = Rates::new(title, &N_RATERS);
    for (name, people) in [
        ("tastes differ as much as items", TASTES),
        ("the same, a third of the pairs each", People { asked: 0.33, ..TASTES }),
        ("all have one taste", People { taste: 0.0, ..TASTES }),
    ] {
        let found = N_RATERS.map(|n_raters| people.coverage(n_raters, 2000));
        table.row(name, &found.map(|[raters, _]| raters));
        table.row(&format!("{name}, choices taken as independent"), &found.map(|[_, choices]| choices));
    }
    write_part("strengths", &table.text());
}
