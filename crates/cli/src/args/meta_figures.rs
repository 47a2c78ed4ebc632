//! Options of `neurogauge meta` for single items and figures.

use super::*;
use neurogauge_meta::ItemGroups;

#[derive(Debug, Args)]
pub(crate) struct MetaFigureArgs {
    #[command(flatten)]
    pub(crate) drawing: FigureArgs,
    /// Items per metric whose rank differs most from the rank by people; 0 for none
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Worst cases")]
    pub(crate) worst: usize,
    /// Only items that every other metric ranks as people do, give or take this share of the
    /// ranking [default where SHARE is left out: 0.1]
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.1", help_heading = "Worst cases")]
    pub(crate) worst_others_agree: Option<f64>,
    /// Metrics whose worst cases are shown, and the others that must agree
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Worst cases",
        defaults_to = "all"
    )]
    pub(crate) worst_metrics: Vec<String>,
    /// Groups of items, each with worst cases of its own, and how each metric ranks the groups: a table (item, group),
    /// or what items are called with {group} where the group is named and * where anything may be, such as '{group}_*'
    #[arg(long, value_name = "FILE|PATTERN", help_heading = "Worst cases")]
    pub(crate) worst_groups: Option<ItemGroups>,
    /// Stimuli, to show the worst cases: a folder, an .npy stack or a .pt tensor file; stems are
    /// the ids of items
    #[arg(long, value_name = "PATH", help_heading = "Worst cases")]
    pub(crate) gt: Option<PathBuf>,
    /// Reconstructions, likewise
    #[arg(long, value_name = "PATH", help_heading = "Worst cases")]
    pub(crate) recon: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Worst cases")]
    pub(crate) reading: ReadingArgs,
    /// Class of each stimulus and reconstruction, to compare metrics and people on pairs of the same
    /// and of different class: a CSV (item, gt_label, recon_label), or two .npy matrices of logits
    /// (stimuli, reconstructions) with ids.json beside each
    #[arg(long, value_name = "FILE", num_args = 1..=2, help_heading = "Classes")]
    pub(crate) classes: Vec<PathBuf>,
}
