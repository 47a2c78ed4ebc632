//! `neurogauge metrics`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct MetricsArgs {
    /// Ids of metrics, or of lists such as nsd8; a single metric is described in full [default: list all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
    /// Folder of model weights (also: NEUROGAUGE_WEIGHTS)
    #[arg(long, value_name = "DIR")]
    pub(crate) weights: Option<PathBuf>,
}
