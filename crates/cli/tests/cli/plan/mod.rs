//! Plans: printed, recorded, and worked off in parts.

mod dry_run;
mod memory;
mod older_records;
mod record_fields;
mod shards;
