//! `neurogauge models`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// List the models, their licences, and where their weights are
    List(WeightArgs),
    /// Download the weights of models
    ///
    /// Named by their ids, by what they are for (nsd8, seed, basic), or by a plan or a run. What is missing is listed
    /// first
    Fetch {
        /// Model, set of metrics, or plan of a run
        #[arg(value_name = "MODEL|SET|PLAN", required = true)]
        models: Vec<String>,
        #[command(flatten)]
        weights: WeightArgs,
    },
    /// Check the SHA-256 of the weights of a model
    Verify {
        /// Id of the model
        model: String,
        #[command(flatten)]
        weights: WeightArgs,
    },
    /// Compare models with what others published of them
    ///
    /// Computes, with the published weights, what others published [default: every model]. Exit code 1 if a value
    /// differs. Weights are not downloaded
    Selftest {
        /// Model, or set of metrics
        #[arg(value_name = "MODEL|SET")]
        models: Vec<String>,
        /// Fetch the pictures and arrays that published values are of, some MB; each keeps the hash of its first use
        #[arg(long)]
        fetch_inputs: bool,
        /// What is printed on stdout
        #[arg(long, value_enum, default_value_t)]
        format: TableOrJson,
        #[command(flatten)]
        weights: WeightArgs,
    },
}

/// `neurogauge doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
    /// Folder of model weights (also: NEUROGAUGE_WEIGHTS)
    #[arg(long, value_name = "DIR")]
    pub(crate) weights: Option<PathBuf>,
}

/// `neurogauge cite`.
#[derive(Debug, Args)]
pub(crate) struct CiteArgs {
    /// Run folders
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Print a methods paragraph for a paper instead: what was scored, by what, and how intervals and tests were made
    #[arg(long)]
    pub(crate) methods: bool,
}
