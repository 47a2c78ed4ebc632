//! Whether training changes what is recovered at equal accuracy: the closest pair, and all pairs at each limit.

use super::PaperReport;
use neurogauge::Drawn;
use neurogauge::align::{MAIN_LENGTH, Matched};
use neurogauge::alignment::{Band as HumanBand, Profile};
use neurogauge::report::figures::{Band, Curve, CurvePanel, Curves, Dot, IntervalPanel, Intervals, Level};

fn curve(label: String, values: &[f64]) -> Curve {
    Curve::from_one(label, values.iter().take(MAIN_LENGTH).copied().map(Some))
}

/// Two curves compared with those of other subjects (Figure 3A).
pub(super) fn nearest(report: &PaperReport) -> Drawn {
    let found = report.record.matched_case.as_ref()?;
    let curves = [0, 1].map(|place| {
        let (name, accuracy) = (&found.sources[place], found.accuracy[place]);
        curve(format!("{name}, accuracy {accuracy:.3}"), &found.curves[place])
    });
    let mut panel = CurvePanel::of("", curves);
    let donors = report.aligned.of_unit(&found.unit).filter(|entry| entry.donor);
    let donors = donors.filter_map(|entry| Some(entry.recovered.as_ref().ok()?.profile.clone()));
    if let Ok(human) = HumanBand::new(&donors.collect::<Vec<Profile>>()) {
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
    let caption = "The pretrained and the untrained model of one architecture whose accuracies for a target unit are nearest; \
                   chosen by accuracy alone.";
    let figure = Curves {
        x_label: "k".to_owned(),
        y_label: "TopKCov".to_owned(),
        y_reaches: vec![0.0, 1.0],
        ..Curves::of(format!("Nearly equal accuracy, {}", found.unit), vec![panel], caption)
    };
    Some(figure.draw())
}

/// One row for each limit on the difference of accuracies; `None` without a pair.
pub(super) fn by_limit(report: &PaperReport) -> Drawn {
    let (matched, aligned) = (&report.matched, &report.aligned);
    let matched: Vec<&Matched> = matched.iter().filter(|matched| matched.pairs.n > 0).collect();
    let differences = matched.iter().enumerate().filter_map(|(row, matched)| {
        let of = matched.difference;
        Some(Dot {
            notch: matched.human.threshold,
            ..Dot::estimate((row, 0), of.mean, of.interval)?
        })
    });
    let share = |title: &str, of: fn(&Matched) -> Option<f64>| {
        let shares = matched.iter().map(|matched| of(matched)).enumerate();
        IntervalPanel::of(title, shares.filter_map(|(row, share)| Dot::estimate((row, 0), share, None)))
    };
    let mut panels = vec![
        IntervalPanel {
            levels: vec![Level::at(0.0, "no difference")],
            ..IntervalPanel::of(format!("Δ ProfileMean({})", aligned.settings().main_length()), differences)
        },
        share("share of pairs above 0", |own| own.pairs.positive),
    ];
    let mut caption = format!(
        "Pairs of a pretrained and an untrained model of one architecture for one target unit; pretrained less \
         untrained. {}.",
        aligned.interval_caption()
    );
    let mut notch_label = String::new();
    if matched.iter().any(|m| m.human.threshold.is_some()) {
        panels.push(share("share beyond threshold", |own| own.pairs.beyond));
        caption.push_str(
            " Human threshold: 90th percentile of the differences between other subjects of as nearly equal \
             accuracy; beyond it: either way.",
        );
        notch_label.push_str("human threshold");
    }
    let rows = matched.iter().map(|m| format!("within {}, {} pairs", m.limit, m.pairs.n));
    let figure = Intervals {
        notch_label,
        ..Intervals::of("Pretrained against untrained at nearly equal accuracy", rows, panels, caption)
    };
    (!matched.is_empty()).then(|| figure.draw())
}
