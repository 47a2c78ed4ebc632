//! Plans: printed, recorded, and computed in shards.

mod dry_run;
mod memory;
mod other_schemas;
mod placeholder_run;
mod record_fields;
mod shards;
