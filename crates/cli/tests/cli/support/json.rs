//! Reads JSON values of an expected type; a failure shows the actual value.

use serde_json::{Map, Value};

pub(crate) trait Json {
    fn list(&self) -> &Vec<Value>;
    fn fields(&self) -> &Map<String, Value>;
    fn number(&self) -> f64;
    fn natural(&self) -> u64;
    fn text(&self) -> &str;
}

impl Json for Value {
    #[track_caller]
    fn list(&self) -> &Vec<Value> {
        self.as_array().unwrap_or_else(|| panic!("{self} is no list"))
    }

    #[track_caller]
    fn fields(&self) -> &Map<String, Value> {
        self.as_object().unwrap_or_else(|| panic!("{self} is no object"))
    }

    #[track_caller]
    fn number(&self) -> f64 {
        self.as_f64().unwrap_or_else(|| panic!("{self} is no number"))
    }

    #[track_caller]
    fn natural(&self) -> u64 {
        self.as_u64().unwrap_or_else(|| panic!("{self} is no natural number"))
    }

    #[track_caller]
    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("{self} is no text"))
    }
}
