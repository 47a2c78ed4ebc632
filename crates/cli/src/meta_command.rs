//! `neurogauge meta`.

use crate::args::MetaArgs;
use crate::output;
use neurogauge::Error;
use neurogauge::stats::meta::MetaOptions;
use neurogauge_meta::{InMemoryTables, MetaRequest, MetaRun, WorstCaseRequest, meta, meta_of};
use std::path::PathBuf;

pub(crate) fn run(args: &MetaArgs) -> Result<(), Error> {
    for (question, request) in request(args).questions(&InMemoryTables::default())? {
        let out = match &question {
            Some(question) => {
                output::message(&format!("question {question}"));
                args.out.join(question)
            }
            None => args.out.clone(),
        };
        output::result(
            &meta(&request)?,
            (&out, &args.overwrite),
            args.figures.drawing.options().as_ref(),
            &args.table,
        )?;
    }
    Ok(())
}

/// The evaluation without writing or printing: each question of the ratings, by name if there are several.
pub(crate) fn evaluated(args: &MetaArgs, held: &InMemoryTables) -> Result<Vec<(Option<String>, MetaRun)>, Error> {
    let mut request = request(args);
    let is_held = |path: &PathBuf| held.metrics.iter().any(|t| path.as_os_str() == t.name.as_str());
    request.metrics.retain(|path| !is_held(path));
    let questions = request.questions(held)?.into_iter();
    questions.map(|(question, request)| Ok((question, meta_of(&request, held)?))).collect()
}

fn request(args: &MetaArgs) -> MetaRequest {
    MetaRequest {
        human: args.human.clone(),
        metrics: args.metrics.clone(),
        only: args.only.clone(),
        lower_is_better: args.lower_is_better.clone(),
        higher_is_better: args.higher_is_better.clone(),
        item_column: args.item_column.clone(),
        rater_column: args.rater_column.clone(),
        value_column: args.value_column.clone(),
        rater_columns: args.rater_columns.clone(),
        group_columns: args.group_columns.clone(),
        stimuli: args.stimuli.source(),
        join: args.join.clone(),
        first_keeps_names: false,
        scale: args.scale,
        missing: match args.missing.as_slice() {
            [] => None,
            [none] if none == "none" => Some(Vec::new()),
            codes => Some(codes.to_vec()),
        },
        options: MetaOptions {
            human_score: args.human_score,
            permutations: args.permutations.into(),
            ..args.intervals.options()
        },
        combinations: args.combinations.request(),
        worst_cases: WorstCaseRequest {
            n: args.figures.worst,
            others_agree: args.figures.worst_others_agree,
            metrics: args.figures.worst_metrics.clone(),
            groups: args.figures.worst_groups.clone(),
            gt: args.figures.gt.clone(),
            recon: args.figures.recon.clone(),
            reading: (&args.figures.reading).into(),
        },
        classes: args.figures.classes.clone(),
    }
}
