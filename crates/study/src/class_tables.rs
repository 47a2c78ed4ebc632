//! Compares pairs that a classifier puts into the same class or into different classes (SEED, Sec. 5.3): does EffNet
//! judge them as people do?

use crate::agreement_tables::on_daggers;
use crate::found::{Found, Made, needs};
use crate::published;
use crate::rated::Rated;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::formats::class_labels::ClassLabels;
use neurogauge::formats::features;
use neurogauge::metrics::class_names::class_name;
use neurogauge::report::{Cell, Table};
use neurogauge_meta::{ClassMean, MetricClasses};
use std::path::PathBuf;

/// The classes by the metric that uses the classifier, with SEED's preprocessing or with the common one.
fn classes<'a>(rated: &'a Rated<'_>) -> Option<&'a MetricClasses> {
    let metrics = &rated.meta.record.classes.as_ref()?.metrics;
    ["effnet_official", "effnet"]
        .iter()
        .find_map(|id| metrics.iter().find(|metric| metric.metric == *id))
}

/// A row for pairs of the same class, and one for pairs of different classes.
pub(crate) fn means(_: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let Some(of_metric) = classes(rated) else {
        return needs(match rated.meta.record.classes {
            None => "classes of the images: classes in [[ratings]], a table of labels or the logits of both sides",
            Some(_) => "EffNet (metric effnet)",
        });
    };
    let shown = rated.labelled(&of_metric.metric);
    let mut notes = vec![
        "Means of z-scores over the pairs with classes and both scores, higher is better; overestimate: metric minus people."
            .to_owned(),
    ];
    let survey = rated.survey.filter(|_| !rated.own(&of_metric.metric).is_empty());
    let printed = survey.and_then(|survey| Some((survey, published::class_means(survey)?)));
    notes.extend(
        printed.map(|(survey, _)| format!("Published: {}, Section 5.3 ({}).", published::SOURCE, survey.about)),
    );
    notes.extend(on_daggers(std::slice::from_ref(&shown)));
    notes.extend(of_metric.undefined.map(str::to_owned));
    let estimate = |mean: ClassMean| Cell::estimate(mean.value, mean.interval);
    let of_line = |is_same: bool| {
        let figures = of_metric.figures.as_ref()?;
        let contrasts = [&figures.metric_score, &figures.human_score, &figures.overestimate];
        Some(contrasts.map(|contrast| estimate(if is_same { contrast.same } else { contrast.different })))
    };
    let lines = [("same class", true, of_metric.n_same), ("different class", false, of_metric.n_different)];
    let title = format!("Pairs of the same and of different class, by {shown} and by people: {}", rated.system.name);
    let headings = [format!("{shown} z"), "people z".into(), "overestimate".into()];
    let mut table = Table::of(title, lines)
        .column("Pairs", |(pairs, ..)| Cell::text(*pairs))
        .columns(headings, |(_, is_same, _)| of_line(*is_same).unwrap_or([const { Cell::Missing }; 3]))
        .column("n", |(.., n)| Cell::Count(*n));
    if let Some((_, [same, different])) = printed {
        let headings = [format!("published {shown}"), "published people".to_owned()];
        table = table.columns(headings, |(_, is_same, _)| {
            let (metric, people) = if *is_same { same } else { different };
            [Cell::Number(metric, 3), Cell::Number(people, 3)]
        });
    }
    Ok(Made::Table(table.noted(notes)))
}

/// Pairs of the same class that the metric ranks too high, and pairs of different classes that it ranks too low, with
/// the names of their classes; those furthest from people come first.
pub(crate) fn pairs(found: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let Some(MetricClasses { metric, .. }) = classes(rated) else {
        return Ok(Made::Nothing);
    };
    let items = &rated.meta.items;
    let ranks = rated.ranks_by(metric)?.unwrap_or_default();
    let labels = named_labels(&items.classes, &rated.ratings.classes)?;
    let known = items.ids.iter().zip(&ranks).filter_map(|(id, ranks)| Some((id, labels.get(id)?, (*ranks)?)));
    let known = known.collect_vec();
    let group = |(name, is_same): (&'static str, bool)| {
        let sign = if is_same { 1.0 } else { -1.0 };
        let of_group = known
            .iter()
            .filter(move |(_, [gt, recon], ranks)| (gt == recon) == is_same && sign * ranks.difference > 0.0);
        // The sort is stable, so ties keep the survey's order.
        let of_group = of_group.sorted_by(|a, b| (sign * b.2.difference).total_cmp(&(sign * a.2.difference)));
        of_group.take(found.config.examples.n).map(move |(id, classes, ranks)| (name, id, classes, ranks))
    };
    let shown = rated.labelled(metric);
    let title = format!("Pairs that {shown} ranks too high with one class and too low with two: {}", rated.system.name);
    let table = Table::of(title, [("same", true), ("different", false)].into_iter().flat_map(group))
        .column_of_groups("Class", |(name, ..)| (*name).to_owned())
        .column("Pair", |(_, id, ..)| Cell::text(id.as_str()))
        .column("stimulus", |(_, _, [gt, _], _)| Cell::text(gt.as_str()))
        .column("reconstruction", |(_, _, [_, recon], _)| Cell::text(recon.as_str()))
        .column("by people", |(.., ranks)| Cell::Number(ranks.human_rank, 1))
        .column(format!("by {shown}"), |(.., ranks)| Cell::Number(ranks.metric_rank, 1))
        .column("of", |_| Cell::Count(ranks.iter().flatten().count()))
        .noted(vec![format!(
            "Ranks: 1 is best, equal scores share the mean of their ranks. Classes of {} rated pairs are known; names are \
             ImageNet's where the classifier has its thousand classes.",
            known.len()
        )]);
    Ok(Made::Table(table))
}

/// The classes of both images of each item; classes from logits of ImageNet's 1,000 classes get names.
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
