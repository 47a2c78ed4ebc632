//! Options of metrics, which Python gives as the JSON that `run.json` keeps them in.

use crate::errors::Failure;
use serde::de::DeserializeOwned;

/// Options that are not given have the crate's defaults.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        Failure::Usage(format!("options {json}: {reason}"))
    })
}
