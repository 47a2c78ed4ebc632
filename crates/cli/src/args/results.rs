//! Where a command's results go: its folder, tables and figures.

use super::*;

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
