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
        let none = "there is no configuration; name at least one, as [[basic.configurations]] with name";
        self.refuse_if(configurations.is_empty(), "[basic]", none)?;
        let mut folders: HashMap<String, &str> = HashMap::new();
        for configuration in configurations {
            let BasicConfiguration { name, score, .. } = configuration;
            let what = format!("name {name:?}: a name needs a letter or a digit");
            self.names_a_folder(name, "basic.configurations", &what)?;
            let place = format!("basic.configurations {name:?}");
            if let Some(other) = folders.insert(file_name(name), name) {
                let what = format!("another one is called {other:?}; their folders would be the same");
                return self.fault(&place, &what);
            }
            let what = "expected them in the `inputs` of the configuration";
            self.refuse_if(score.contains_key("inputs"), &format!("{place}: score.inputs"), what)?;
            for input in [Input::GT, Input::RECON] {
                let what = format!("{input}: all configurations have the images of the systems");
                self.refuse_if(configuration.inputs.get(input).is_some(), &format!("{place}: inputs"), &what)?;
            }
            for system in &self.config.systems {
                let inputs = configuration.inputs_of(&system.name);
                self.inputs(&format!("{place}: inputs of {:?}", system.name), &inputs)?;
                let request = configuration.request(&self.config.score, &system.name);
                self.accept(&format!("{place}: score"), request)?;
            }
        }
        for (index, name) in basic.cross.iter().enumerate() {
            if !configurations.iter().any(|known| known.name == *name) {
                let known: Vec<&str> = configurations.iter().map(|known| known.name.as_str()).collect();
                let what = format!("{name:?} is none of the configurations ({})", known.join(", "));
                return self.fault("basic.cross", &what);
            }
            let is_twice = basic.cross[..index].contains(name);
            self.refuse_if(is_twice, "basic.cross", &format!("{name:?} occurs twice"))?;
        }
        let what = "one configuration is crossed with none; name two or more";
        self.refuse_if(basic.cross.len() == 1, "basic.cross", what)
    }
}
