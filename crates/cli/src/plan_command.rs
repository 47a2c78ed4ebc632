//! `neurogauge plan`, `work` and `finish`: one command, worked off by several processes.

use crate::args::{FinishArgs, PlanArgs, PlannedCommand, WorkArgs};
use crate::progress_bars::Bars;
use crate::{output, perceive_command, score_command};
use neurogauge::Error;
use neurogauge::plan::{Work, WorkPlan};

pub(crate) fn plan(args: &PlanArgs) -> Result<(), Error> {
    let (work, settings) = match &args.command {
        PlannedCommand::Score(args) => {
            let request = score_command::request(args)?;
            (
                Work::Score(Box::new(request)),
                score_command::run_settings(args),
            )
        }
        PlannedCommand::Perceive(args) => {
            let request = perceive_command::request(args)?;
            (
                Work::Perceive(Box::new(request)),
                perceive_command::run_settings(args),
            )
        }
    };
    let words = WorkPlan::write(work, &settings, &Bars::default())?;
    let out = settings.out.display();
    output::message(&format!(
        "{out}: planned; `neurogauge work {out} --shard I/N` does a part, `neurogauge finish {out}` the rest"
    ));
    output::data(&words)
}

pub(crate) fn work(args: &WorkArgs) -> Result<(), Error> {
    let is_new = WorkPlan::read(&args.run)?.work(args.shard, &Bars::default())?;
    let (run, part, of) = (args.run.display(), args.shard.index + 1, args.shard.of);
    let done = if is_new { "done" } else { "already done" };
    output::message(&format!("{run}: part {part} of {of} is {done}"));
    Ok(())
}

pub(crate) fn finish(args: &FinishArgs) -> Result<(), Error> {
    let WorkPlan { work, settings, .. } = WorkPlan::read(&args.run)?;
    match work {
        Work::Score(request) => {
            let run = neurogauge::score(&request, &settings, &Bars::default())?;
            score_command::report(&run, args.format)
        }
        Work::Perceive(request) => perceive_command::report(&request, &settings),
        _ => Err(Error::Usage(format!(
            "{}: its plan.json has a command that this version does not finish",
            args.run.display()
        ))),
    }
}
