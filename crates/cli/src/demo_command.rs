//! `neurogauge demo`.

use crate::args::DemoArgs;
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use crate::score_command::announce;
use neurogauge::report::{Format, render};
use neurogauge::{Error, RunSettings};
use neurogauge_demo::Shown;

const NEXT: &str = "\
next:
  neurogauge check STIMULI RECONSTRUCTIONS    do your two folders pair, and what would make numbers incomparable?
  neurogauge score STIMULI RECONSTRUCTIONS    their scores";

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
    let scores = render(&demo.run.table, Format::Table, width)?;
    output::data(&format!("{scores}\n{}", demo.recovery.text(width)))?;
    output::message(&format!(
        "\nstimuli above their reconstructions: {}\nthe run, with every score: {}\n{NEXT}",
        demo.picture.display(),
        demo.run.folder.root().display()
    ));
    Ok(())
}
