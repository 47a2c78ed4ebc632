//! Finding, downloading and verifying the files of a model.
//!
//! [`locate`] searches this machine, [`obtain`] downloads what is missing, [`verify`] checks a folder against the
//! registry. A file is used only if its SHA-256 matches the published part of the hash and the record of its first use.

mod arithmetic;
mod checkpoint_hash;
mod download;
mod file_kind;
mod instructions;
mod locate;
mod options;
mod partial_file;
mod plain_file;
mod precision;
mod record;
mod remembered;
mod transfer;
mod verify;

pub use arithmetic::Arithmetic;
pub(crate) use checkpoint_hash::{hash_checkpoint, hash_checkpoints};
pub use download::{DownloadProgress, NoProgress, obtain};
pub use instructions::instructions;
pub use locate::{is_here, locate};
pub use neurogauge_kernels::blocks::hold_in_f32;
pub use options::{AccessToken, WeightOptions};
pub use plain_file::fetch_file;
pub(crate) use plain_file::plain_file;
pub use precision::WeightPrecision;
pub use remembered::remember_hashes_in;
pub(crate) use transfer::Wanted;
pub(crate) use verify::hash_file;
pub use verify::{LocalModel, verify};
