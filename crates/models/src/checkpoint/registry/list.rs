//! Reads the list of models, `models.toml`.

use super::{ModelEntry, ModelFile};
use serde::{Deserialize, Deserializer};
use toml::Table;

/// The models of a list, in its order. `like` names an earlier model, which has the fields that are not given.
pub(super) fn read(list: &str) -> Result<Vec<ModelEntry>, Box<dyn std::error::Error>> {
    #[derive(Deserialize)]
    struct List {
        models: Vec<Table>,
    }
    let mut models: Vec<Table> = Vec::new();
    for mut own in toml::from_str::<List>(list)?.models {
        let like = own.remove("like");
        let like = like.and_then(|like| models.iter().find(|model| model.get("id") == Some(&like)));
        let mut whole = like.cloned().unwrap_or_default();
        whole.extend(own);
        models.push(whole);
    }
    // The entries borrow their texts, so these last as long as the program.
    let json: &'static str = serde_json::to_string(&models)?.leak();
    Ok(serde_json::from_str(json)?)
}

/// The files of a model, which last as long.
pub(super) fn files<D: Deserializer<'static>>(list: D) -> Result<&'static [ModelFile], D::Error> {
    Ok(Vec::deserialize(list)?.leak())
}
