//! Pairs that one part of SEED ranks most differently from people, while the other parts agree with people (SEED, Fig.
//! 4).

use crate::paper_item::PaperItems;
use crate::rated::Rated;
use crate::shown_metrics::parts;
use crate::views::{caption_lines, object_lines};
use neurogauge::Error;
use neurogauge::report::figures::SheetRow;
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::RankDifference;
use neurogauge_meta::{MetricWorstCases, WorstCase};

const PAPER: &str = "Figure 4";

/// The figure of a rated system.
pub(crate) fn figure(rated: &Rated<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    let views = &rated.system.views;
    let about = &rated.system.name;
    let record = &rated.meta.record;
    let of_part = |part: &&str| record.worst_cases.as_ref()?.metrics.iter().find(|metric| metric.metric == *part);
    let of_parts: Vec<&MetricWorstCases> = parts(&rated.system.run.scores).iter().filter_map(of_part).collect();
    if of_parts.iter().all(|metric| metric.cases.is_empty()) {
        paper_items.absent(
            PAPER,
            about,
            if of_parts.is_empty() {
                "a part of SEED (object_f1, cap_sim, effnet)".to_owned()
            } else {
                format!(
                    "a pair that one part of SEED ranks unlike people while the others are within {} of the ranking; \
                 examples.others_agree allows more",
                    record.request.worst_cases.others_agree.unwrap_or(1.0)
                )
            },
        );
        return Ok(());
    }
    let ranks = ranks_by_part(rated)?;
    let title = format!("Worst cases of the parts of SEED: {about}");
    let agreeing = match record.request.worst_cases.others_agree {
        Some(share) => {
            format!(" Only pairs that the other parts rank as people do, give or take {share} of the ranking.")
        }
        None => String::new(),
    };
    let caption = format!(
        "Ranks: 1 is best, equal scores share the mean of their ranks.{agreeing} {} rated pairs.",
        record.result.n_items
    );
    let (mut cases, mut lines) = (Vec::new(), Vec::new());
    let ids = &rated.meta.items.ids;
    for metric in &of_parts {
        for case in &metric.cases {
            let rank_by = |(part, by_item): &(&'static str, RanksByItem)| {
                let place = ids.iter().position(|id| *id == case.item)?;
                Some((*part, by_item[place]?.metric_rank))
            };
            let of_case: Vec<(&str, f64)> = ranks.iter().filter_map(rank_by).collect();
            if views.has_images() {
                lines.push(shown(rated, metric, case, &of_case)?);
            }
            cases.push((metric, case, of_case));
        }
    }
    let by_parts = ranks.iter().map(|(part, _)| format!("by {}", rated.labelled(part)));
    let table = TextTable::of(title, cases)
        .column("Metric", |(metric, ..)| Cell::text(rated.labelled(&metric.metric)))
        .column("Pair", |(_, case, _)| Cell::text(&case.item))
        .column("score", |(_, case, _)| Cell::Number(case.score, 3))
        .column("human score", |(_, case, _)| Cell::Number(case.human_score, 2))
        .column("rank by people", |(_, case, _)| Cell::Number(case.ranks.human_rank, 1))
        .columns(by_parts, |(.., ranks)| ranks.iter().map(|(_, rank)| Cell::Number(*rank, 1)).collect::<Vec<_>>())
        .column("of", |(metric, ..)| Cell::Count(metric.n_items))
        .noted([caption].into_iter().chain(rated.stand_in_note().map(str::to_owned)).collect());
    paper_items.add_with_pairs(rated.system.item(PAPER, "figure4_worst_cases"), views, table, lines);
    Ok(())
}

type RanksByItem = Vec<Option<RankDifference>>;

/// The rank of every rated pair by each available part.
fn ranks_by_part(rated: &Rated<'_>) -> Result<Vec<(&'static str, RanksByItem)>, Error> {
    let parts = parts(&rated.system.run.scores).into_iter();
    parts
        .filter_map(|part| Some(rated.ranks_by(part).transpose()?.map(|ranks| (part, ranks))))
        .collect()
}

fn shown(
    rated: &Rated<'_>,
    metric: &MetricWorstCases,
    case: &WorstCase,
    ranks: &[(&str, f64)],
) -> Result<SheetRow, Error> {
    let views = &rated.system.views;
    let mut of_all = vec![format!("people {}", case.ranks.human_rank)];
    of_all.extend(ranks.iter().map(|(part, rank)| format!("{} {rank}", rated.labelled(part))));
    let mut lines = vec![
        format!("{}: {}", rated.labelled(&metric.metric), case.item),
        metric.misplaced(case),
        format!("ranks: {}", of_all.join(", ")),
    ];
    match metric.metric.as_str() {
        "object_f1" => lines.extend(object_lines(views, &case.item, 0.3)?),
        "cap_sim" => lines.extend(caption_lines(views, &case.item)),
        _ => {}
    }
    Ok(SheetRow {
        images: views.images(&case.item)?,
        lines,
    })
}
