//! Does training change what is recovered at equal accuracy? The closest pair, and all pairs at each limit.

use super::MatchedCase;
use crate::aligned::Aligned;
use neurogauge::align::{MAIN_LENGTH, Matched};
use neurogauge::alignment::{Band as HumanBand, Profile};
use neurogauge::report::figures::{Band, Curve, CurvePanel, Curves, Dot, IntervalPanel, Intervals, Level};

fn curve(label: String, values: &[f64]) -> Curve {
    let points = values.iter().take(MAIN_LENGTH).enumerate();
    Curve {
        label,
        points: points.map(|(k, value)| ((k + 1) as f64, Some(*value))).collect(),
        markers: true,
        ..Curve::default()
    }
}

/// Two curves beside those of other subjects (Figure 3A).
pub(super) fn nearest(found: &MatchedCase, aligned: &Aligned) -> Curves {
    let curves = [0, 1].map(|place| {
        let (name, accuracy) = (&found.sources[place], found.accuracy[place]);
        curve(format!("{name}, accuracy {accuracy:.3}"), &found.curves[place])
    });
    let donors = aligned.of_unit(&found.unit).filter(|entry| entry.donor);
    let donors = donors.filter_map(|entry| entry.recovered.as_ref().ok());
    let donors: Vec<Profile> = donors.map(|recovered| recovered.profile.clone()).collect();
    let mut panel = CurvePanel {
        curves: curves.to_vec(),
        ..CurvePanel::default()
    };
    if let Ok(human) = HumanBand::new(&donors) {
        panel.curves.push(Curve {
            dashed: true,
            ..curve("other subjects, median".to_owned(), &human.median)
        });
        let ends = human.range.iter().take(MAIN_LENGTH).enumerate();
        panel.bands.push(Band {
            label: "other subjects, all".to_owned(),
            points: ends.map(|(k, (low, high))| ((k + 1) as f64, *low, *high)).collect(),
        });
    }
    Curves {
        title: format!("Nearly equal accuracy, {}", found.unit),
        x_label: "k".to_owned(),
        y_label: "TopKCov".to_owned(),
        y_reaches: vec![0.0, 1.0],
        panels: vec![panel],
        caption: "The pretrained and the untrained model of one architecture whose accuracies for a target unit are nearest; \
                  chosen by accuracy alone."
            .to_owned(),
        ..Curves::default()
    }
}

/// A row for each limit on the difference of accuracies; `None` without a pair.
pub(super) fn by_limit(matched: &[Matched], aligned: &Aligned) -> Option<Intervals> {
    let matched: Vec<&Matched> = matched.iter().filter(|matched| matched.pairs.n > 0).collect();
    if matched.is_empty() {
        return None;
    }
    let differences = matched.iter().enumerate().filter_map(|(row, matched)| {
        let of = matched.difference;
        Some(Dot {
            notch: matched.human.threshold,
            ..Dot::estimate((row, 0), of.mean, of.interval)?
        })
    });
    let share = |title: &str, of: &dyn Fn(&Matched) -> Option<f64>| {
        let shares = matched.iter().map(|matched| of(matched)).enumerate();
        IntervalPanel::of(title, shares.filter_map(|(row, share)| Dot::estimate((row, 0), share, None)))
    };
    let has_threshold = matched.iter().any(|m| m.human.threshold.is_some());
    let mut panels = vec![
        IntervalPanel {
            levels: vec![Level::at(0.0, "no difference")],
            ..IntervalPanel::of(format!("Δ ProfileMean({})", aligned.settings().main_length()), differences)
        },
        share("share of pairs above 0", &|own| own.pairs.positive),
    ];
    let mut caption = format!(
        "Pairs of a pretrained and an untrained model of one architecture for one target unit; pretrained less \
         untrained. {}.",
        aligned.interval_caption()
    );
    let mut notch_label = String::new();
    if has_threshold {
        panels.push(share("share beyond threshold", &|own| own.pairs.beyond));
        caption.push_str(
            " Human threshold: 90th percentile of the differences between other subjects of as nearly equal \
             accuracy; beyond it: either way.",
        );
        notch_label.push_str("human threshold");
    }
    let rows = matched.iter();
    Some(Intervals {
        title: "Pretrained against untrained at nearly equal accuracy".to_owned(),
        rows: rows.map(|m| format!("within {}, {} pairs", m.limit, m.pairs.n)).collect(),
        notch_label,
        panels,
        caption,
        ..Intervals::default()
    })
}
