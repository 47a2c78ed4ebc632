//! `neurogauge check`, and which stems pair up.

use super::*;
use neurogauge::core::pair::{Pairing, StemPattern};

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Stimuli and reconstructions: folders of images, .npy stacks (N,H,W,3) or .pt tensor files
    #[arg(value_names = ["GT", "RECON"], num_args = 2, required_unless_present = "gt")]
    pub(crate) both: Vec<PathBuf>,
    /// The stimuli, instead of GT
    #[arg(long, value_name = "PATH", requires = "recon", conflicts_with = "both")]
    pub(crate) gt: Option<PathBuf>,
    /// The reconstructions, instead of RECON
    #[arg(long, value_name = "PATH", requires = "gt", conflicts_with = "both")]
    pub(crate) recon: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pairing: PairingArgs,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct PairingArgs {
    /// Which stems are scored: `all`, where one without a partner is an error, or `shared`, those that both sides have; the
    /// others are counted and named [default: all]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) pairs: Option<PairsArg>,
    /// What the reconstruction of a stem is called, without its extension, such as '{stem}_recon'; with '{number}', the
    /// numbers in both names pair, with or without leading zeros [default: '{stem}']
    #[arg(id = "match", long = "match", value_name = "PATTERN")]
    #[serde(rename = "match")]
    pub(crate) pattern: Option<StemPattern>,
}

impl From<&PairingArgs> for Pairing {
    fn from(args: &PairingArgs) -> Self {
        Pairing {
            pairs: args.pairs.map(Into::into).unwrap_or_default(),
            pattern: args.pattern.clone(),
        }
    }
}
