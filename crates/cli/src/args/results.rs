//! Where a command's results go: its folder, tables and figures.

use super::*;
use crate::output::{self, Done};
use neurogauge::{Error, Report};

#[derive(Debug, Args)]
pub(crate) struct ResultArgs {
    /// Folder of the results
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
}

impl ResultArgs {
    /// Writes a result there.
    pub(crate) fn written(&self, result: &impl Report) -> Result<Done, Error> {
        let figures = self.figures.options();
        let place = (self.out.as_path(), &self.overwrite);
        output::written(result, place, figures.as_ref(), &self.table)
    }
}
