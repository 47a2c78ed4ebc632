//! Options of `neurogauge meta` for statistics within groups of items.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct MetaGroupArgs {
    /// Column of the ratings that puts items into groups, such as the system or the stimulus of each:
    /// statistics are repeated within groups and averaged over them. May be repeated
    #[arg(long = "group-column", value_name = "NAME")]
    pub(crate) group_columns: Vec<String>,
}
