//! `neurogauge demo`.

use crate::args::DemoArgs;
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use crate::score_command::announce;
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
    output::data(&demo.tables(output::width())?)?;
    let quoted = |path: &std::path::Path| shell_word(&path.to_string_lossy());
    output::message(&demo.next(&output::program(), quoted));
    Ok(())
}
