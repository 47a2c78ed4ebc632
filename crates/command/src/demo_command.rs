//! `neurogauge demo`.

use crate::args::*;
use crate::output;
use crate::progress_bars::Bars;
use crate::score_command::announce;
use neurogauge::{Error, RunSettings};
use neurogauge_cluster::slurm::shell_word;
use neurogauge_demo::Shown;

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where the drawings and the run go
    #[arg(long, value_name = "DIR", default_value = "demo-run")]
    pub(crate) out: PathBuf,
    /// Show every metric: placeholder models replace those whose weights are missing, and their numbers mean nothing
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
}

pub(crate) fn run(args: &DemoArgs) -> Result<(), Error> {
    let settings = RunSettings {
        overwrite: args.overwrite.overwrite,
        ..args.weights.settings(args.out.clone())
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
