//! `neurogauge plan`, `work` and `finish`: one command, worked off by several processes.

use crate::args::{FinishArgs, PlanCommand, WeightArgs, WorkArgs};
use crate::progress_bars::Bars;
use crate::{align_command, output, perceive_command, score_command};
use neurogauge::Error;
use neurogauge::plan::{Work, WorkPlan};
use std::path::Path;

pub(crate) fn plan(command: &PlanCommand) -> Result<(), Error> {
    let (work, settings) = match command {
        PlanCommand::Score(args) if args.out.is_none() => {
            return Err(Error::Usage(
                "what is planned needs a folder of its own, which all its processes see; say where with --out RUN".into(),
            ));
        }
        PlanCommand::Score(args) => (
            Work::Score(Box::new(score_command::request(args)?)),
            score_command::run_settings(args),
        ),
        PlanCommand::Perceive(args) => (
            Work::Perceive(Box::new(perceive_command::request(args)?)),
            perceive_command::run_settings(args),
        ),
        PlanCommand::Align(args) => return align_command::plan(args),
    };
    let words = WorkPlan::write(work, &settings, &Bars::default())?;
    let out = settings.out.display();
    output::message(&format!(
        "{out}: planned; `neurogauge work {out} --shard I/N` does a part, `neurogauge finish {out}` the rest"
    ));
    output::data(&words)
}

pub(crate) fn work(args: &WorkArgs) -> Result<(), Error> {
    let Some(plan) = plan_of(&args.run, &args.weights)? else {
        return align_command::work(args);
    };
    let is_new = plan.work(args.shard, &Bars::default())?;
    let (run, part, of) = (args.run.display(), args.shard.index + 1, args.shard.of);
    let done = if is_new { "done" } else { "already done" };
    output::message(&format!("{run}: part {part} of {of} is {done}"));
    Ok(())
}

pub(crate) fn finish(args: &FinishArgs) -> Result<(), Error> {
    let Some(WorkPlan {
        work, mut settings, ..
    }) = plan_of(&args.run, &args.weights)?
    else {
        return align_command::finish(args);
    };
    match work {
        Work::Score(request) => {
            settings.latex = args.table.latex().or(settings.latex);
            let run = neurogauge::score(&request, &settings, &Bars::default())?;
            score_command::report(&run, args.table.format().styled(settings.latex))
        }
        Work::Perceive(request) => perceive_command::report(&request, &settings),
        _ => Err(Error::Usage(format!(
            "{}: its plan.json has a command that this version does not finish",
            args.run.display()
        ))),
    }
}

/// The plan of a folder, with weights that lie elsewhere here; `None` if that of an alignment, which has files of its own.
fn plan_of(run: &Path, weights: &WeightArgs) -> Result<Option<WorkPlan>, Error> {
    if run.join("request.json").exists() {
        return Ok(None);
    }
    let mut plan = WorkPlan::read(run)?;
    let settings = &mut plan.settings;
    settings.weights = weights.weights.clone().or(settings.weights.take());
    settings.allow_download &= !weights.offline;
    Ok(Some(plan))
}
