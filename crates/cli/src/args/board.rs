//! `neurogauge board` and `neurogauge protocols`.

use super::*;

#[derive(Debug, Subcommand)]
pub(crate) enum BoardCommand {
    /// Write the site of entries
    ///
    /// An entry is the folder of a finished run of `neurogauge score` with a card.toml: system, subject, paper, code,
    /// data, licence, and what the paper printed
    Make(BoardMakeArgs),
    /// Compute entries from their inputs again
    ///
    /// Says whether all scores have the same bits or the same values, or which differ. Inputs must have the hashes that
    /// run.json records
    Verify(BoardVerifyArgs),
    /// Download files of others by a recipe
    ///
    /// A recipe has addresses and hashes of files, and the places of the cells where a file is a grid of pictures. Each
    /// file is checked before it is kept
    Fetch(BoardFetchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BoardFetchArgs {
    /// brainhub, brain-diffuser, mindeye-982, spurious-reconstruction, or a TOML file
    #[arg(value_name = "RECIPE")]
    pub(crate) recipe: String,
    /// Folder of the files
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct BoardMakeArgs {
    /// The board: TOML with title, about, entries (folders), metrics; mixed = true puts different stimuli in one table,
    /// pairs = true or false says whether there are files of all pairs
    #[arg(value_name = "BOARD")]
    pub(crate) board: PathBuf,
    /// Folder of the site
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) overwrite: OverwriteArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BoardVerifyArgs {
    /// Folders of entries
    #[arg(value_name = "ENTRY", required = true, num_args = 1..)]
    pub(crate) entries: Vec<PathBuf>,
    /// Boxes of the stimuli, where they are now
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) gt_detections: Option<PathBuf>,
    /// Boxes of the reconstructions, where they are now
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) recon_detections: Option<PathBuf>,
    /// Captions of the stimuli, where they are now
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) gt_captions: Option<PathBuf>,
    /// Captions of the reconstructions, where they are now
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) recon_captions: Option<PathBuf>,
    /// Images of the stimuli, where they are now
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) gt: Option<PathBuf>,
    /// Images of the reconstructions, where they are now
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) recon: Option<PathBuf>,
    /// WordNet 3.0's folder, for METEOR and BASIC-H
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub(crate) wordnet: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ProtocolsArgs {
    /// Finished runs; without any, all test sets are listed
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,
    /// How they are printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}
