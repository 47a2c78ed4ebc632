//! The readable tables.

mod details;
mod headline;
mod overview;

use super::{MetaRecord, choices, strengths};
pub(super) use headline::{by_agreement, headline};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::{
    Ceiling, Figure, IntervalNote, MetaResult, MetricAgreement, MetricDifference, OneRater, Resampled, Statistic,
    StatisticDifference, StatisticEstimate,
};

/// The tables of a [marked](MetaRecord::marked) record, except for combinations and classes.
pub(super) fn text_tables(record: &MetaRecord) -> Vec<Table> {
    let result = &record.result;
    let mut tables = Vec::new();
    if let Some(found) = &record.choices {
        tables.extend(choices::text_tables(found, record));
        if found.human.no_strengths.is_some() {
            return tables;
        }
        tables.push(strengths::text_table(&found.human, record, found.agreement.n_raters));
    }
    tables.push(overview::text_table(record));
    let groupings = || Scope::groupings(result);
    tables.extend(groupings().map(|scope| overview::within(result, scope)));
    // Who agrees with whom stands in the table of choices.
    tables.extend(record.choices.is_none().then(|| details::raters(result, record.is_of_means())));
    tables.push(details::further(result));
    for scope in [Scope::All].into_iter().chain(groupings()) {
        tables.push(details::intervals(result, scope));
    }
    if !result.differences.is_empty() {
        for scope in [Scope::All].into_iter().chain(groupings()) {
            tables.push(details::differences(result, scope));
        }
    }
    tables
}

/// Is it in the main tables? The others have a separate table, and the files contain all.
fn is_main(statistic: Statistic) -> bool {
    Statistic::MAIN.contains(&statistic)
}

/// Text such as `95% interval`.
fn level(result: &MetaResult) -> String {
    format!("{}% interval", result.options.bootstrap.level * 100.0)
}

fn resampling(result: &MetaResult, scope: Scope) -> String {
    result.options.in_words(match scope {
        Scope::All if result.n_stimuli.is_some() => "stimuli",
        Scope::All => "items",
        Scope::Within(_) => "groups",
    })
}

/// The population that intervals refer to.
fn population(result: &MetaResult) -> String {
    let (items, of_stimuli) = match result.n_stimuli {
        Some(n) => ("stimuli", format!("; {} items of {n} stimuli", result.n_items)),
        None => ("items", String::new()),
    };
    let drawn = match result.options.resampled {
        Resampled::Items => format!("new {items} of this kind, these raters"),
        Resampled::Raters => format!("new raters of this kind, these {items}"),
        Resampled::Both => format!("new {items} and raters of this kind"),
    };
    format!("Intervals: {drawn}{of_stimuli}.")
}

/// A value with its interval, marked if a note says that it is doubtful.
pub(super) fn estimate<F: Figure>(figure: &F) -> Cell {
    let is_doubtful = figure.interval().is_some() && figure.interval_note().is_some();
    Cell::estimate(figure.value(), figure.interval()).doubtful_if(is_doubtful)
}

/// Notes on missing or doubtful intervals: each reason once, with the metrics or raters that it applies to.
pub(super) fn interval_notes<'a, F: Figure + 'a>(figures: impl Iterator<Item = (&'a str, &'a F)>) -> Vec<String> {
    let mut notes: Vec<(IntervalNote, Vec<String>)> = Vec::new();
    for (whose, figure) in figures {
        let Some(note) = figure.interval_note() else {
            continue;
        };
        let named = format!("{whose} {}", figure.statistic().label());
        match notes.iter_mut().find(|(known, _)| *known == note) {
            Some((_, all)) => all.push(named),
            None => notes.push((note, vec![named])),
        }
    }
    let shown = |(note, whose): &(IntervalNote, Vec<String>)| {
        let mark = if note.is_of_doubt() { "‡ " } else { "" };
        format!("{mark}{note} ({}).", whose.join(", "))
    };
    notes.iter().map(shown).collect()
}

/// All items, or the items within the groups of one grouping.
#[derive(Clone, Copy)]
enum Scope {
    All,
    /// Within the groups of the grouping at this position.
    Within(usize),
}

impl Scope {
    fn groupings(result: &MetaResult) -> impl Iterator<Item = Scope> + use<> {
        (0..result.agreement.grouped.len()).map(Scope::Within)
    }

    /// Text such as ` within system`; empty for all items.
    fn suffix(self, result: &MetaResult) -> String {
        match self {
            Scope::All => String::new(),
            Scope::Within(g) => format!(" within {}", result.agreement.grouped[g].grouping),
        }
    }

    fn ceilings(self, result: &MetaResult) -> &[Ceiling] {
        match self {
            Scope::All => &result.agreement.ceilings,
            Scope::Within(g) => &result.agreement.grouped[g].ceilings,
        }
    }

    fn one_rater(self, result: &MetaResult) -> &[OneRater] {
        match self {
            Scope::All => &result.agreement.one_rater,
            Scope::Within(g) => &result.agreement.grouped[g].one_rater,
        }
    }

    fn estimates(self, metric: &MetricAgreement) -> Vec<&StatisticEstimate> {
        match self {
            Scope::All => metric.statistics.iter().collect(),
            Scope::Within(g) => metric.grouped[g].statistics.iter().map(|figure| &figure.estimate).collect(),
        }
    }

    fn differences(self, pair: &MetricDifference) -> &[StatisticDifference] {
        match self {
            Scope::All => &pair.statistics,
            Scope::Within(g) => &pair.grouped[g].statistics,
        }
    }

    fn epsilon(self, metric: &MetricAgreement) -> Option<f64> {
        match self {
            Scope::All => metric.epsilon,
            Scope::Within(g) => metric.grouped[g].epsilon,
        }
    }
}
