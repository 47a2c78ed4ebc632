//! `neurogauge demo`.

use crate::args::DemoArgs;
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use crate::score_command::announce;
use neurogauge::report::{Format, render};
use neurogauge::{Error, RunSettings};
use neurogauge_cluster::slurm::shell_word;
use neurogauge_demo::Shown;

pub(crate) fn run(args: &DemoArgs) -> Result<(), Error> {
    let settings = RunSettings {
        overwrite: args.overwrite.overwrite,
        ..settings(args.out.clone(), &args.weights)
    };
    let shown = match args.all {
        true => Shown::All,
        false => Shown::True,
    };
    let demo = neurogauge_demo::run(&settings, shown, &Bars::default())?;
    announce(&demo.run);
    let width = output::width();
    let scores = render(demo.run.table()?, Format::Table, width)?;
    output::data(&format!("{scores}\n{}", demo.recovery.text(width)))?;
    let program = output::program();
    let [run, blurred] =
        [&demo.run, &demo.blurred].map(|run| shell_word(&run.folder.root().to_string_lossy()));
    let page = shell_word(&args.out.join("report.html").to_string_lossy());
    output::message(&format!(
        "
stimuli above their reconstructions: {picture}
two runs, with every score: {run} and {blurred} (the stimuli, only blurred)

next, on these runs:
  {program} compare {run} {blurred}
  {program} report {run} {blurred} --out {page}
and on your own images:
  {program} check STIMULI RECONSTRUCTIONS
  {program} score STIMULI RECONSTRUCTIONS --out runs/mine",
        picture = demo.picture.display(),
    ));
    Ok(())
}
