//! Tables of configurations by systems: every part of a score with ranks, the score alone, and the similarity of
//! rankings.

use super::agreement::rankings;
use super::standings::{Standing, Standings, stand_in_note};
use super::{BasicRecord, BasicRunRecord, Configured, grid};
use crate::config::StudyConfig;
use crate::paper_item::PaperItems;
use crate::published::PAPERS;
use crate::scoring::System;
use crate::systems_table::{SystemGroup, beside, by_stimuli, meaning_figure, table_of};
use neurogauge::metrics::{Metric, list};
use neurogauge::report::figures::{Bar, Bars};
use neurogauge::report::{Cell, Table, marked};
use neurogauge::{Error, Run};

/// The systems' own runs, listed among the configurations.
const AS_SCORED: &str = "as scored";

/// A score of BASIC with its parts, and where the paper shows them.
struct Score {
    id: &'static str,
    parts: &'static [&'static str],
    detailed: &'static str,
    by_system: &'static str,
}

fn scores() -> [Score; 3] {
    let parts = |name| list(name).unwrap_or_default();
    [
        Score {
            id: "basic_h",
            parts: parts("basic_h_all"),
            detailed: "BASIC Tables S9, S10 and S12",
            by_system: "BASIC Table S11 and Figure 3",
        },
        Score {
            id: "basic_l",
            parts: parts("basic_l_all"),
            detailed: "BASIC Table S13",
            by_system: "BASIC Figure 3",
        },
        Score {
            id: "basic",
            parts: &["basic_l", "basic_h", "basic"],
            detailed: "BASIC",
            by_system: "BASIC Figure 3",
        },
    ]
}

/// The tables and figures of BASIC; `None` if the study does not configure it.
pub(crate) fn tables(
    config: &StudyConfig,
    systems: &[System],
    configured: &[Configured],
    paper_items: &mut PaperItems,
) -> Result<Option<BasicRecord>, Error> {
    let Some(basic) = &config.basic else {
        return Ok(None);
    };
    let mut agreements = Vec::new();
    for group in by_stimuli(systems) {
        let standings =
            |name: (&str, bool), runs: Vec<&Run>| Standings::of(name, &group.names, &runs, &config.score.bootstrap);
        let of_configuration = configured.iter().map(|one| standings((&one.name, one.is_crossed), one.runs_of(&group)));
        let found = of_configuration.collect::<Result<Vec<_>, Error>>()?;
        for score in scores() {
            let with: Vec<&Standings> = found.iter().filter(|s| s.find(score.id).is_some()).collect();
            if with.is_empty() {
                continue;
            }
            detailed(&group, &score, &with, paper_items);
            by_system(&group, &score, &with, paper_items);
            agreements.extend(rankings(&group, score.id, &with, paper_items));
        }
        // The systems' own runs, or the first configuration if those do not have BASIC.
        let own = group.runs();
        let is_basic = |run: &Run| scores().into_iter().map(|score| score.id).any(|id| run.scores.column(id).is_some());
        let (name, runs) = match configured.first() {
            Some(first) if !own.iter().all(|run| is_basic(run)) => (first.name.as_str(), first.runs_of(&group)),
            _ => (AS_SCORED, own),
        };
        if name != AS_SCORED {
            let named = group.places.iter().map(|&place| &config.systems[place]);
            let named: Vec<_> = named.zip(runs.iter().copied()).collect();
            let title = format!("Means of {name} beside published ones");
            let suffix = format!("_configured{}", group.suffix);
            let [.., basic] = &PAPERS;
            beside(basic, (&title, &suffix), &named, paper_items)?;
            meaning_figure(&table_of(&group, &runs, config)?, &group.about(), &suffix, paper_items);
        }
        by_level(&group, &standings((name, false), runs.clone())?, paper_items);
        grid::figure(&group, name, &runs, (&basic.stimuli, config.examples.n), paper_items)?;
    }
    Ok(Some(BasicRecord {
        runs: configured.iter().flat_map(|one| BasicRunRecord::of(one, systems)).collect(),
        rankings: agreements,
    }))
}

/// A row for each configuration and system: all parts of the score, the score and the rank.
fn detailed(group: &SystemGroup<'_>, score: &Score, found: &[&Standings], paper_items: &mut PaperItems) {
    let there = |id: &&str| found.iter().any(|standings| standings.find(id).is_some());
    let ids: Vec<&str> = score.parts.iter().copied().filter(there).collect();
    let labels = ids.iter().filter_map(|id| found.iter().find_map(|s| s.find(id)));
    let labels = labels.map(|(metric, _)| metric.spec.label.to_owned());
    let marked: Vec<String> = found.iter().map(|standings| standings.marked(&ids)).collect();
    let lines = found.iter().zip(&marked).flat_map(|(standings, marked)| {
        group.names.iter().enumerate().map(move |(place, system)| (*standings, marked, system, place))
    });
    let standing = |standings: &Standings, id: &str, place: usize| -> Option<Standing> {
        standings.find(id).map(|(_, all)| all[place].clone())
    };
    let table = Table::of(format!("{} by configuration", label(found, score.id)), lines)
        .column("Configuration", |(_, marked, ..)| Cell::text(*marked))
        .column("System", |(_, _, system, _)| Cell::text(*system))
        .columns(labels, |(standings, _, _, place)| {
            let of = |id: &&str| Some(standing(standings, id, *place)?.estimate.value);
            ids.iter().map(|id| of(id).map_or(Cell::Missing, |value| Cell::number(&value))).collect::<Vec<_>>()
        })
        .column("Rank", |(standings, _, _, place)| {
            rank(standing(standings, score.id, *place).and_then(|standing| standing.rank))
        })
        .noted(notes(found, score.id, &marked));
    let name = format!("table_{}_configurations{}", score.id, group.suffix);
    paper_items.add((score.detailed, name, &group.about()), table);
}

/// A row for each configuration, with score and rank of each system; also drawn as bars.
fn by_system(group: &SystemGroup<'_>, score: &Score, found: &[&Standings], paper_items: &mut PaperItems) {
    let marked: Vec<String> = found.iter().map(|standings| standings.marked(&[score.id])).collect();
    let notes = notes(found, score.id, &marked);
    let all = found.iter().filter_map(|standings| Some(standings.find(score.id)?.1.iter().collect()));
    let label = label(found, score.id);
    let title = format!("{label} of each system by configuration");
    let lines = marked.into_iter().zip(all);
    let (table, bars) = with_bars((title, label), "Configuration", lines, group.names.clone(), notes);
    let name = format!("figure_{}_configurations{}", score.id, group.suffix);
    paper_items.add_with_figure((score.by_system, name, &group.about()), table, bars.draw());
}

/// From structure to words, then the combined scores.
const LEVELS: [&str; 11] = [
    "salient_iou",
    "binary_iou",
    "semantic_iou",
    "instance_iou",
    "part_iou",
    "basic_object_f1",
    "basic_attribute_f1",
    "basic_relation_f1",
    "basic_l",
    "basic_h",
    "basic",
];

/// A row for each system, with value and rank at each available level; also drawn as bars.
fn by_level(group: &SystemGroup<'_>, standings: &Standings, paper_items: &mut PaperItems) {
    const PAPER: &str = "BASIC Figure S4";
    let about = group.about();
    let found: Vec<_> = LEVELS.iter().filter_map(|id| standings.find(id)).collect();
    if found.is_empty() {
        return paper_items.absent(PAPER, &about, "levels of BASIC");
    }
    let label = |(metric, all): &(&Metric, &[Standing])| {
        let short = metric.spec.label.trim_start_matches("BASIC ").trim_end_matches(" IoU").trim_end_matches(" F1");
        marked(short, all.iter().any(|standing| standing.stand_in))
    };
    let labels: Vec<String> = found.iter().map(label).collect();
    let mut notes = vec![
        "Overlap (IoU) of masks by level, F1 of words by kind, and the scores made of them. Above each bar its rank: 1 is best, \
         equal systems share the mean of their ranks."
            .to_owned(),
    ];
    notes.extend(stand_in_note(&labels));
    let of_system =
        |(place, name): (usize, &String)| (name.clone(), found.iter().map(|(_, all)| &all[place]).collect());
    let lines = group.names.iter().enumerate().map(of_system);
    let title = format!("BASIC by level: {}", standings.name);
    let (table, bars) = with_bars((title, "mean"), "System", lines, labels, notes);
    let name = format!("figure_basic_levels{}", group.suffix);
    paper_items.add_with_figure((PAPER, name, &about), table, bars.draw());
}

/// Named rows of standings, one for each of `groups`: a mean with its interval, and the rank. The bars of a group are
/// side by side.
fn with_bars<'a>(
    (title, quantity): (String, &str),
    heading: &str,
    lines: impl Iterator<Item = (String, Vec<&'a Standing>)>,
    groups: Vec<String>,
    notes: Vec<String>,
) -> (Table, Bars) {
    let (series, standings): (Vec<String>, Vec<Vec<&Standing>>) = lines.unzip();
    let bar = |standing: &Standing| Bar {
        rank: standing.rank,
        ..Bar::estimate(&standing.estimate.value, standing.estimate.interval)
    };
    let bars = Bars {
        title: title.clone(),
        y_label: quantity.to_owned(),
        bars: (0..groups.len()).map(|group| standings.iter().map(|line| bar(line[group])).collect()).collect(),
        series: series.clone(),
        caption: notes.join(" "),
        groups: groups.clone(),
    };
    let headings = groups.into_iter().flat_map(|group| [group.clone(), format!("{group} rank")]);
    let cells = |standing: &&Standing| {
        let Standing { estimate, rank: of, .. } = standing;
        [Cell::estimate(&estimate.value, estimate.interval), rank(*of)]
    };
    let table = Table::of(title, series.into_iter().zip(&standings))
        .column(heading, |(name, _)| Cell::text(name))
        .columns(headings, |(_, line)| line.iter().flat_map(cells).collect::<Vec<_>>())
        .noted(notes);
    (table, bars)
}

/// The notes below the tables of a score.
fn notes(found: &[&Standings], id: &str, marked: &[String]) -> Vec<String> {
    let mut notes = vec![
        "Means over the pairs that all systems of a configuration have. Rank 1 is best; equal systems share the mean of \
         their ranks."
            .to_owned(),
    ];
    if found.iter().any(|standings| standings.is_crossed) {
        notes.push("A x B: stimuli described as in A, reconstructions as in B.".to_owned());
    }
    for standings in found {
        let reasons = standings.find(id).into_iter().flat_map(|(_, all)| all);
        let reason = reasons.filter_map(|standing| standing.estimate.value.as_ref().err()).next();
        notes.extend(reason.map(|reason| format!("{}: {reason}", standings.name)));
    }
    notes.extend(stand_in_note(marked));
    notes
}

fn rank(rank: Option<f64>) -> Cell {
    let decimals = |rank: f64| if rank.fract() == 0.0 { 0 } else { 1 };
    rank.map_or(Cell::Missing, |rank| Cell::Number(rank, decimals(rank)))
}

fn label<'a>(found: &[&'a Standings], id: &str) -> &'a str {
    let mut metrics = found.iter().filter_map(|standings| standings.find(id));
    metrics.next().map_or("BASIC", |(metric, _)| metric.spec.label)
}
