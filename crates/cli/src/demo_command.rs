//! `neurogauge demo`.

use crate::args::DemoArgs;
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use crate::score_command::announce;
use neurogauge::report::{Format, render};
use neurogauge::{Error, RunSettings};

pub(crate) fn run(args: &DemoArgs) -> Result<(), Error> {
    let settings = RunSettings {
        overwrite: args.overwrite.overwrite,
        ..settings(args.out.clone(), &args.weights)
    };
    let demo = neurogauge_demo::run(&settings, &Bars::default())?;
    announce(&demo.run);
    output::data(&render(&demo.run.table, Format::Table, output::width())?)?;
    output::message(&format!(
        "stimuli above their reconstructions: {}\nthe run, with every score: {}",
        demo.picture.display(),
        demo.run.folder.root().display()
    ));
    Ok(())
}
