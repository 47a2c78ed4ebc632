//! Pairs of the same class and of different classes according to a classifier (SEED, Sec. 5.3): does EffNet judge them
//! as people do?

use crate::agreement_tables::on_daggers;
use crate::paper_item::PaperItems;
use crate::published;
use crate::rated::Rated;
use neurogauge::Error;
use neurogauge::formats::class_labels::ClassLabels;
use neurogauge::formats::features;
use neurogauge::metrics::class_names::class_name;
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::RankDifference;
use neurogauge_meta::{ClassMean, MetricClasses};
use std::path::PathBuf;

const PAPER: &str = "Section 5.3";
/// The metric based on the classifier, with SEED's preprocessing or with the common one.
const METRICS: [&str; 2] = ["effnet_official", "effnet"];

/// Means of a rated system, and the pairs that the metric misjudges most with the names of their classes.
pub(crate) fn tables(rated: &Rated<'_>, n: usize, paper_items: &mut PaperItems) -> Result<(), Error> {
    let about = &rated.system.name;
    let found = rated.meta.record.classes.as_ref();
    let of_metric =
        found.and_then(|found| METRICS.iter().find_map(|id| found.metrics.iter().find(|metric| metric.metric == *id)));
    let Some(of_metric) = of_metric else {
        let needs = match found {
            None => "classes of the images: classes in [[ratings]], a table of labels or the logits of both sides",
            Some(_) => "EffNet (metric effnet)",
        };
        paper_items.absent(PAPER, about, needs);
        return Ok(());
    };
    paper_items.add(rated.system.item(PAPER, "table_classes"), means(rated, of_metric));
    paper_items.add(rated.system.item(PAPER, "table_class_pairs"), pairs(rated, &of_metric.metric, n)?);
    Ok(())
}

/// A line for pairs of the same class, and one for pairs of different classes.
fn means(rated: &Rated<'_>, of_metric: &MetricClasses) -> TextTable {
    let shown = rated.labelled(&of_metric.metric);
    let mut notes = vec![
        "Means of z-scores over the pairs with classes and both scores, higher is better; overestimate: metric minus people."
            .to_owned(),
    ];
    let survey = rated.survey.filter(|_| !rated.own(&of_metric.metric).is_empty());
    let printed = survey.and_then(published::class_means);
    if let (Some(survey), Some(_)) = (survey, printed) {
        let source = published::SOURCE;
        notes.push(format!("Published: {source}, {PAPER} ({}).", survey.about));
    }
    notes.extend(on_daggers(std::slice::from_ref(&shown)));
    notes.extend(of_metric.undefined.map(str::to_owned));
    let estimate = |mean: ClassMean| Cell::estimate(mean.value, mean.interval);
    let title = format!("Pairs of the same and of different class, by {shown} and by people: {}", rated.system.name);
    let lines = [("same class", of_metric.n_same), ("different class", of_metric.n_different)];
    let of_line = |place: usize| {
        let figures = of_metric.figures.as_ref()?;
        Some([&figures.metric_score, &figures.human_score, &figures.overestimate].map(|contrast| match place {
            0 => contrast.same,
            _ => contrast.different,
        }))
    };
    let headings = [format!("{shown} z"), "people z".into(), "overestimate".into()];
    let mut table = TextTable::of(title, lines.into_iter().enumerate())
        .column("Pairs", |(_, (pairs, _))| Cell::text(*pairs))
        .columns(headings, |(place, _)| {
            of_line(*place).map_or([const { Cell::Missing }; 3], |means| means.map(estimate))
        })
        .column("n", |(_, (_, n))| Cell::Count(*n));
    if let Some(printed) = printed {
        let headings = [format!("published {shown}"), "published people".to_owned()];
        table = table.columns(headings, |(place, _)| {
            let (metric, people) = printed[*place];
            [Cell::Number(metric, 3), Cell::Number(people, 3)]
        });
    }
    table.noted(notes)
}

/// Pairs of the same class that the metric ranks too high, and pairs of different classes that it ranks too low, the
/// furthest from people first.
fn pairs(rated: &Rated<'_>, metric: &str, n: usize) -> Result<TextTable, Error> {
    let items = &rated.meta.items;
    let ranks = rated.ranks_by(metric)?.unwrap_or_default();
    let labels = named_labels(&items.classes, &rated.ratings.classes)?;
    let known = items.ids.iter().zip(&ranks).filter_map(|(id, ranks)| Some((id, labels.get(id)?, (*ranks)?)));
    let known: Vec<(&String, &[String; 2], RankDifference)> = known.collect();
    let n_ranked = ranks.iter().flatten().count();
    let group = |is_same: bool| {
        let sign = if is_same { 1.0 } else { -1.0 };
        let mut of_group: Vec<_> = (known.iter().copied())
            .filter(|(_, [gt, recon], ranks)| (gt == recon) == is_same && sign * ranks.difference > 0.0)
            .collect();
        // A stable sort: ties stay in the order of the survey.
        of_group.sort_by(|a, b| (sign * b.2.difference).total_cmp(&(sign * a.2.difference)));
        of_group.truncate(n);
        of_group
    };
    let lines = [("same", true), ("different", false)];
    let lines = lines
        .into_iter()
        .flat_map(|(name, is_same)| group(is_same).into_iter().map(move |pair| (name, pair)));
    let shown = rated.labelled(metric);
    let title = format!("Pairs that {shown} ranks too high with one class and too low with two: {}", rated.system.name);
    let rank = |rank: f64| Cell::Number(rank, 1);
    Ok(TextTable::of(title, lines)
        .column_of_groups("Class", |(name, _)| (*name).to_owned())
        .column("Pair", |(_, (id, ..))| Cell::text(id.as_str()))
        .column("stimulus", |(_, (_, [gt, _], _))| Cell::text(gt.as_str()))
        .column("reconstruction", |(_, (_, [_, recon], _))| Cell::text(recon.as_str()))
        .column("by people", |(_, (.., ranks))| rank(ranks.human_rank))
        .column(format!("by {shown}"), |(_, (.., ranks))| rank(ranks.metric_rank))
        .column("of", |_| Cell::Count(n_ranked))
        .noted(vec![format!(
            "Ranks: 1 is best, equal scores share the mean of their ranks. Classes of {} rated pairs are known; names are \
             ImageNet's where the classifier has its thousand classes.",
            known.len()
        )]))
}

/// The classes of both images of each item; classes from logits of ImageNet's thousand classes get their names.
fn named_labels(labels: &ClassLabels, files: &[PathBuf]) -> Result<ClassLabels, Error> {
    let [gt, _] = files else {
        return Ok(labels.clone());
    };
    let n_classes = features::read(gt, &features::ids_beside(gt)).map(|found| found.n_features())?;
    let name = |class: String| match class.parse() {
        Ok(class) => class_name(class, n_classes),
        Err(_) => class,
    };
    Ok(labels.clone().into_iter().map(|(id, both)| (id, both.map(name))).collect())
}
