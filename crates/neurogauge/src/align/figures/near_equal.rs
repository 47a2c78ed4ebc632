//! Does training change what is recovered where accuracy is the same?

use crate::align::Alignment;
use neurogauge_report::figures::{Dot, IntervalPanel, Intervals, Level};

/// A row for each limit on the difference of accuracies; none without a pair.
pub(super) fn pairs(alignment: &Alignment) -> Option<Intervals> {
    let matched: Vec<_> = alignment
        .record
        .summary
        .matched
        .iter()
        .filter(|matched| matched.pairs.n > 0)
        .collect();
    if matched.is_empty() {
        return None;
    }
    let differences = matched.iter().enumerate().filter_map(|(row, matched)| {
        Some(Dot {
            row,
            value: matched.difference.mean?,
            interval: matched.difference.interval,
            notch: matched.human.threshold,
            ..Dot::default()
        })
    });
    let shares = |of: &dyn Fn(usize) -> Option<f64>| IntervalPanel {
        title: String::new(),
        dots: (0..matched.len())
            .filter_map(|row| {
                Some(Dot {
                    row,
                    value: of(row)?,
                    ..Dot::default()
                })
            })
            .collect(),
        ..IntervalPanel::default()
    };
    let has_threshold = matched.iter().any(|m| m.human.threshold.is_some());
    let length = alignment.main_length();
    let mut panels = vec![
        IntervalPanel {
            title: format!("Δ ProfileMean({length})"),
            dots: differences.collect(),
            levels: vec![Level {
                label: "no difference".to_owned(),
                value: 0.0,
            }],
            ..IntervalPanel::default()
        },
        IntervalPanel {
            title: "share of pairs above 0".to_owned(),
            ..shares(&|row| matched[row].pairs.positive)
        },
    ];
    let mut caption = format!(
        "Pairs of a pretrained and an untrained model of one architecture for one target unit; pretrained less \
         untrained. {}.",
        alignment.interval_caption()
    );
    if has_threshold {
        panels.push(IntervalPanel {
            title: "share beyond threshold".to_owned(),
            ..shares(&|row| matched[row].pairs.beyond)
        });
        caption.push_str(
            " Human threshold: 90th percentile of the differences between other subjects of as nearly equal \
             accuracy; beyond it: either way.",
        );
    }
    Some(Intervals {
        title: "Pretrained against untrained at nearly equal accuracy".to_owned(),
        rows: matched
            .iter()
            .map(|m| format!("within {}, {} pairs", m.limit, m.pairs.n))
            .collect(),
        notch_label: if has_threshold {
            "human threshold".to_owned()
        } else {
            String::new()
        },
        panels,
        caption,
        ..Intervals::default()
    })
}
