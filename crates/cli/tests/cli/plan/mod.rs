//! Plans: printed, recorded, and computed in parts.

mod dry_run;
mod memory;
mod other_schemas;
mod placeholder_run;
mod record_fields;
mod shards;
