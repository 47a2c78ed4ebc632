//! Checks the configurations of BASIC before anything is computed.

use crate::basic_config::BasicConfiguration;
use crate::check::Checking;
use neurogauge::core::Input;
use neurogauge::{Error, file_name};
use std::collections::HashMap;

impl Checking<'_> {
    pub(crate) fn basic(&self) -> Result<(), Error> {
        let Some(basic) = &self.config.basic else {
            return Ok(());
        };
        let configurations = &basic.configurations;
        if configurations.is_empty() {
            let what = "there is no configuration; name at least one, as [[basic.configurations]] with name";
            return self.fault("[basic]", what);
        }
        let mut folders: HashMap<String, &str> = HashMap::new();
        for configuration in configurations {
            let BasicConfiguration { name, score, .. } = configuration;
            if file_name(name).trim_start_matches('.').is_empty() {
                let what = format!("name {name:?}: a name needs a letter or a digit");
                return self.fault("basic.configurations", &what);
            }
            let place = format!("basic.configurations {name:?}");
            if let Some(other) = folders.insert(file_name(name), name) {
                let what = format!("another one is called {other:?}; their folders would be the same");
                return self.fault(&place, &what);
            }
            if score.contains_key("inputs") {
                return self
                    .fault(&format!("{place}: score.inputs"), "expected them in the `inputs` of the configuration");
            }
            for input in [Input::GT, Input::RECON] {
                if configuration.inputs.get(input).is_some() {
                    let what = format!("{input}: all configurations have the images of the systems");
                    return self.fault(&format!("{place}: inputs"), &what);
                }
            }
            for system in &self.config.systems {
                let inputs = configuration.inputs_of(&system.name);
                self.inputs(&format!("{place}: inputs of {:?}", system.name), &inputs)?;
                if let Err(error) = configuration.request(&self.config.score, &system.name) {
                    return self.fault(&format!("{place}: score"), &error.to_string());
                }
            }
        }
        for (index, name) in basic.cross.iter().enumerate() {
            if !configurations.iter().any(|known| known.name == *name) {
                let known: Vec<&str> = configurations.iter().map(|known| known.name.as_str()).collect();
                let what = format!("{name:?} is none of the configurations ({})", known.join(", "));
                return self.fault("basic.cross", &what);
            }
            if basic.cross[..index].contains(name) {
                return self.fault("basic.cross", &format!("{name:?} occurs twice"));
            }
        }
        if basic.cross.len() == 1 {
            return self.fault("basic.cross", "one configuration is crossed with none; name two or more");
        }
        Ok(())
    }
}
