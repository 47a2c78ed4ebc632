//! The figures of a meta-evaluation, as data for the report.

use super::record::{DAGGER, DAGGER_NOTE};
use super::text_tables::{by_agreement, interval_notes};
use super::{ClassAnalysis, MetaRecord, MetaRun, item_groups};
use neurogauge::core::Seed;
use neurogauge::metrics::find;
use neurogauge::report::figures::{
    ColourScale, Dot, Fit, Heatmap, IntervalPanel, Intervals, Level, Point, Scatter, ScatterPanel,
};
use neurogauge::stats::combination::{COMBINED_STATISTICS, PairwiseAverages};
use neurogauge::stats::draw_to_front;
use neurogauge::stats::meta::{MetaResult, MetricAgreement, Statistic, figure_of};
use neurogauge::{Figures, two_decimals};

/// The most points in a panel; more would make files of many megabytes without a clearer picture.
const MAX_POINTS: usize = 2000;

/// Names of the drawn figures that a meta-evaluation can have.
pub(super) const NAMES: [&str; 5] = ["agreement", "scatter", "differences", "classes", "worst_groups"];
/// The prefix of the names of figures of pairwise averages; the id of the statistic follows.
pub(super) const AVERAGES: &str = "averages_";

/// All figures except those made of images.
pub(super) fn figures(run: &MetaRun) -> Figures {
    let result = &run.record.result;
    let mut figures = Figures::default();
    let labels = Labels(&run.record);
    figures.add("agreement", agreement(result, &labels).draw());
    figures.add("scatter", scatter(run, &labels).draw());
    if result.metrics.len() > 1 {
        figures.add("differences", differences(result, &labels).draw());
    }
    if let Some(found) = &run.record.combinations {
        for statistic in COMBINED_STATISTICS {
            let heatmap = averages(&found.averages, statistic, &labels);
            figures.add(format!("{AVERAGES}{}", statistic.id()), heatmap.draw());
        }
    }
    if let Some(classes) = &run.record.classes {
        figures.add("classes", of_classes(classes, &labels).draw());
    }
    let worst_cases = run.record.worst_cases.as_ref();
    if let Some(found) = worst_cases.filter(|_| run.record.request.worst_cases.groups.is_some()) {
        let drawn = item_groups::figure(&found.metrics, |metric| labels.label(metric));
        let caption = labels.caption(
            "Human rank minus metric's, as a share of the ranking, averaged over the items of a group: to the right, the metric thinks more \
             of the group than people do.",
        );
        figures.add("worst_groups", Intervals { caption, ..drawn }.draw());
    }
    figures
}

/// The labels of metrics in figures: the registry's labels, with a dagger for metrics that use placeholder models.
struct Labels<'a>(&'a MetaRecord);

impl Labels<'_> {
    fn label(&self, name: &str) -> String {
        let role = self.0.metrics.iter().find(|role| role.name == name);
        let metric = role.and_then(|role| find(role.registry_id?));
        // If two metrics share the id, the source follows it.
        let label = metric.and_then(|metric| {
            let rest = name.strip_prefix(metric.spec.id)?;
            let is_whole = rest.is_empty() || rest.starts_with(" (");
            is_whole.then(|| format!("{}{rest}", metric.spec.label))
        });
        let mut label = label.unwrap_or_else(|| name.to_owned());
        if self.0.is_stand_in(name) {
            label.push(DAGGER);
        }
        label
    }

    /// A caption, with an explanation of the dagger if a label has one.
    fn caption(&self, caption: &str) -> String {
        let mut names = self.0.metrics.iter().map(|role| &role.name);
        let caption = caption.trim_end();
        match names.any(|name| self.0.is_stand_in(name)) {
            true => format!("{caption} {DAGGER_NOTE}"),
            false => caption.to_owned(),
        }
    }
}

/// Metrics with their intervals, in one panel for each statistic and in the order of the tables.
fn agreement(result: &MetaResult, labels: &Labels<'_>) -> Intervals {
    let mut order: Vec<usize> = (0..result.metrics.len()).collect();
    order.sort_by(|&a, &b| by_agreement(&result.metrics[a], &result.metrics[b]));
    let shown = |&m: &usize| {
        let metric = &result.metrics[m];
        format!("{} {}", labels.label(&metric.name), metric.direction.arrow())
    };
    let panels = Statistic::MAIN.iter().map(|statistic| {
        let dots = order.iter().enumerate().filter_map(|(row, &m)| {
            let figure = figure_of(&result.metrics[m].statistics, *statistic)?;
            // An interval with a note is doubtful and is not drawn.
            let interval = figure.interval.filter(|_| figure.interval_note.is_none());
            Some(Dot {
                notch: figure.chance.mean,
                ..Dot::estimate((row, 0), &figure.value, interval)?
            })
        });
        let ceiling = figure_of(&result.agreement.ceilings, *statistic).and_then(|ceiling| ceiling.value.as_ref().ok());
        IntervalPanel {
            levels: ceiling.map(|value| Level::at(*value, "ceiling: a perfect metric")).into_iter().collect(),
            ..IntervalPanel::of(statistic.label(), dots)
        }
    });
    let main = result.metrics.iter().flat_map(|metric| {
        let main = metric.statistics.iter().filter(|figure| Statistic::MAIN.contains(&figure.statistic));
        main.map(move |figure| (metric, figure))
    });
    Intervals {
        title: "Agreement of metrics with people".to_owned(),
        panels: panels.collect(),
        rows: order.iter().map(shown).collect(),
        notch_label: "chance".to_owned(),
        caption: labels.caption(&format!(
            "{} raters, {} items. {}% intervals: {}. {}",
            result.n_raters,
            result.n_items,
            result.options.bootstrap.level * 100.0,
            result.options.in_words("items"),
            interval_notes(main.map(|(metric, figure)| (metric.name.as_str(), figure))).join(" ")
        )),
        ..Intervals::default()
    }
}

fn scatter(run: &MetaRun, labels: &Labels<'_>) -> Scatter {
    let result = &run.record.result;
    let items = &run.items;
    let mut is_thinned = false;
    let panels = items.metrics.iter().zip(&result.metrics).map(|(column, metric)| {
        let both = column.scores.iter().zip(&items.human);
        let both = both.filter_map(|(score, human)| Some((score.filter(|s| s.is_finite())?, (*human)?)));
        let mut points: Vec<Point> = both.map(|(score, human)| Point::at(score, human)).collect();
        if points.len() > MAX_POINTS {
            is_thinned = true;
            draw_to_front(&mut points, MAX_POINTS, &mut Seed::default().stream(0));
            points.truncate(MAX_POINTS);
        }
        ScatterPanel {
            title: format!("{} {}", labels.label(&metric.name), metric.direction.arrow()),
            points,
            fit: Fit::LeastSquares,
            note: note(metric),
        }
    });
    let panels = panels.collect();
    let mut caption = "Each point is an item; dashed: least squares. ↓: lower is better; τ-b and r \
                       are those of the metric turned so that higher is better."
        .to_owned();
    if is_thinned {
        caption.push_str(&format!(" At most {MAX_POINTS} items are shown, drawn at random."));
    }
    Scatter {
        title: "Metrics and people".to_owned(),
        x_label: "metric".to_owned(),
        y_label: "human score".to_owned(),
        groups: Vec::new(),
        panels,
        caption: labels.caption(&caption),
    }
}

/// Tau-b and the correlation of a metric, or the reasons why they are missing.
fn note(metric: &MetricAgreement) -> String {
    let shown = [(Statistic::KendallTauB, "τ-b"), (Statistic::Pearson, "r")];
    let notes = shown.into_iter().filter_map(|(statistic, symbol)| {
        let figure = figure_of(&metric.statistics, statistic)?;
        Some(match &figure.value {
            Ok(value) => format!("{symbol} = {}", two_decimals(*value)),
            Err(reason) => reason.to_string(),
        })
    });
    let mut notes: Vec<String> = notes.collect();
    notes.dedup();
    notes.join(", ")
}

/// How much better each metric agrees with people than every other one.
fn differences(result: &MetaResult, labels: &Labels<'_>) -> Heatmap {
    let names: Vec<String> = result.metrics.iter().map(|m| m.name.clone()).collect();
    let place = |name: &String| names.iter().position(|known| known == name);
    let statistic = Statistic::KendallTauB;
    let mut values = vec![vec![None; names.len()]; names.len()];
    for difference in &result.differences {
        let value = figure_of(&difference.statistics, statistic).and_then(|figure| figure.value.as_ref().ok());
        if let (Some(a), Some(b)) = (place(&difference.minuend), place(&difference.subtrahend)) {
            values[a][b] = value.copied();
            values[b][a] = value.map(|value| -value);
        }
    }
    for (place, row) in values.iter_mut().enumerate() {
        let own = figure_of(&result.metrics[place].statistics, statistic);
        row[place] = own.is_some_and(|own| own.value.is_ok()).then_some(0.0);
    }
    let shown: Vec<String> = names.iter().map(|name| labels.label(name)).collect();
    Heatmap {
        title: format!("Differences in {}", statistic.label()),
        rows: shown.clone(),
        columns: shown,
        values,
        decimals: 3,
        scale: ColourScale::Diverging,
        value_label: "row − column".to_owned(),
        caption: labels.caption(
            "Red: the metric of the row agrees better with people than that of the column, on the items that both have \
             scores for.",
        ),
        ..Heatmap::default()
    }
}

/// Agreement with people for the average of every two metrics and, on the diagonal, for each metric alone.
fn averages(averages: &PairwiseAverages, statistic: Statistic, labels: &Labels<'_>) -> Heatmap {
    let shown: Vec<String> = averages.labels.iter().map(|name| labels.label(name)).collect();
    Heatmap {
        title: format!("{} of the average of two metrics", statistic.label()),
        rows: shown.clone(),
        columns: shown,
        values: averages.matrix(statistic),
        decimals: 3,
        scale: ColourScale::Sequential,
        value_label: statistic.label().to_owned(),
        caption: labels
            .caption("Each cell is over the items that its two metrics share; on the diagonal the metric alone."),
        ..Heatmap::default()
    }
}

/// Metrics and people, for pairs of the same and of different class.
fn of_classes(classes: &ClassAnalysis, labels: &Labels<'_>) -> Intervals {
    let with_figures: Vec<_> =
        classes.metrics.iter().filter_map(|metric| Some((metric, metric.figures.as_ref()?))).collect();
    let panel = |title: &str, is_same: bool| {
        let dots = with_figures.iter().enumerate().flat_map(|(row, (_, figures))| {
            let both = [&figures.metric_score, &figures.human_score];
            both.into_iter().enumerate().filter_map(move |(series, contrast)| {
                let mean = if is_same { contrast.same } else { contrast.different };
                Dot::estimate((row, series), mean.value, mean.interval)
            })
        });
        IntervalPanel::of(title, dots)
    };
    Intervals {
        title: "Pairs of the same and of different class".to_owned(),
        rows: with_figures.iter().map(|(metric, _)| labels.label(&metric.metric)).collect(),
        series: vec!["metric".to_owned(), "people".to_owned()],
        panels: vec![panel("same class, mean z", true), panel("different class, mean z", false)],
        shared_axis: true,
        caption: labels.caption(&format!(
            "{} items with labels. A metric above people thinks too much of such pairs.",
            classes.n_labelled
        )),
        ..Intervals::default()
    }
}
