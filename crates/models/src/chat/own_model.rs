//! Models that are asked here, without a server.

use super::{Answer, Asked, CAPTION, ChatOptions, Prompt, ServedModel};
use crate::ModelError;
use crate::answering::{Answerer, AnsweringOptions, LocalAnswerer};
use neurogauge_core::ObservationKind;
use neurogauge_core::stopping::stop_if_asked;
use serde_json::Value;

/// The field of a request that has the penalty; servers that have one call it so too.
const PENALTY: &str = "repetition_penalty";

/// A model that is asked about images, wherever it is.
pub enum AskedModel {
    /// Behind a server.
    Served(ServedModel),
    /// In this process.
    Own(OwnModel),
}

/// A model in this process, and what it is asked.
pub struct OwnModel {
    model: Box<dyn Answerer>,
    prompt: String,
    options: AnsweringOptions,
}

impl AskedModel {
    /// Asks about each image and hands over each answer as it arrives.
    ///
    /// # Errors
    /// Those of [`ServedModel::ask_each`]; what `done` gives. A single image that has no answer is handed over as an error of
    /// its own.
    pub fn ask_each<E: From<ModelError>>(
        &self,
        images: Vec<Asked>,
        mut done: impl FnMut(usize, Result<Answer, ModelError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = match self {
            AskedModel::Served(model) => return model.ask_each(images, done),
            AskedModel::Own(own) => own,
        };
        for (index, image) in images.iter().enumerate() {
            stop_if_asked();
            done(index, own.answer(image))?;
        }
        Ok(())
    }
}

impl OwnModel {
    fn answer(&self, asked: &Asked) -> Result<Answer, ModelError> {
        let prompt = match &asked.caption {
            Some(caption) => self.prompt.replace(CAPTION, caption),
            None => self.prompt.clone(),
        };
        let written = self.model.answer(&asked.image, &prompt, &self.options)?;
        let finish_reason = if written.is_cut_off { "length" } else { "stop" };
        Ok(Answer {
            text: written.text,
            finish_reason: finish_reason.to_owned(),
            model: self.model.identity().id.clone(),
            system_fingerprint: None,
            repetition: 0,
            beginnings: None,
        })
    }
}

impl LocalAnswerer {
    /// Is this the id of a model that needs no server?
    ///
    /// ```
    /// use neurogauge_models::answering::LocalAnswerer;
    /// assert!(LocalAnswerer::is_known("qwen2.5-vl-7b"));
    /// assert!(!LocalAnswerer::is_known("Qwen/Qwen2.5-VL-7B-Instruct"));
    /// ```
    pub fn is_known(id: &str) -> bool {
        Self::ids().contains(&id)
    }

    /// Completes a request to it: every field that decides its words is in the result (convention `picture-questions`).
    ///
    /// # Errors
    /// A field that it has no use for, a temperature, observations that take more than words.
    ///
    /// ```
    /// use neurogauge_models::answering::LocalAnswerer;
    /// use neurogauge_models::chat::ChatOptions;
    /// let mut options = ChatOptions::default();
    /// LocalAnswerer::complete(&mut options, &[])?;
    /// assert_eq!(options.fields["repetition_penalty"], 1.05);
    /// options.temperature = 0.2;
    /// assert!(LocalAnswerer::complete(&mut options, &[]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn complete(options: &mut ChatOptions, asks: &[ObservationKind]) -> Result<(), String> {
        if asks.contains(&ObservationKind::VqaScores) {
            return Err(format!(
                "models that are asked here give no probabilities, so no {}; ask one behind a server",
                ObservationKind::VqaScores.noun()
            ));
        }
        if options.temperature != 0.0 || options.seed != 0 {
            return Err(
                "models that are asked here write greedily; expected temperature 0 and seed 0"
                    .to_owned(),
            );
        }
        if let Some(name) = options.fields.keys().find(|name| *name != PENALTY) {
            return Err(format!(
                "the field {name:?} of a request says nothing to a model that is asked here; expected {PENALTY}"
            ));
        }
        let usual = shortest(AnsweringOptions::REPETITION_PENALTY);
        let penalty = options.fields.entry(PENALTY).or_insert(usual);
        match penalty.as_f64() {
            Some(value) if value.is_finite() && value > 0.0 => Ok(()),
            _ => Err(format!(
                "{PENALTY} {penalty}; expected a positive number (1 changes nothing)"
            )),
        }
    }

    /// Reads the weights, to ask about images.
    ///
    /// # Errors
    /// Those of [`load`](Self::load).
    pub fn asked(&self, prompt: &Prompt, options: &ChatOptions) -> Result<AskedModel, ModelError> {
        let usual = f64::from(AnsweringOptions::REPETITION_PENALTY);
        let penalty = options.fields.get(PENALTY).and_then(Value::as_f64);
        Ok(AskedModel::Own(OwnModel {
            model: self.load()?,
            prompt: prompt.text.clone(),
            options: AnsweringOptions {
                max_new_tokens: options.max_tokens as usize,
                repetition_penalty: penalty.unwrap_or(usual) as f32,
            },
        }))
    }
}

/// As few digits as read back as the same number.
fn shortest(value: f32) -> Value {
    let digits = value.to_string();
    digits.parse::<f64>().map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeightOptions;
    use crate::answering::PLACEHOLDER_ANSWERER;
    use crate::chat::{BuiltInPrompt, Said};
    use neurogauge_core::Image;
    use serde_json::json;

    #[test]
    fn a_request_has_nothing_that_would_be_passed_over() {
        let refused = |change: &dyn Fn(&mut ChatOptions), asks: &[ObservationKind]| {
            let mut options = ChatOptions::default();
            change(&mut options);
            LocalAnswerer::complete(&mut options, asks).unwrap_err()
        };
        let field = |name: &str, value: Value| {
            let name = name.to_owned();
            move |options: &mut ChatOptions| {
                options.fields.insert(name.clone(), value.clone());
            }
        };
        assert!(refused(&|_| {}, &[ObservationKind::VqaScores]).contains("probabilities"));
        assert!(refused(&|options| options.seed = 3, &[]).contains("seed"));
        assert!(refused(&field("top_p", json!(0.5)), &[]).contains("top_p"));
        for penalty in [json!(0), json!(-1.0), json!("much")] {
            assert!(refused(&field(PENALTY, penalty), &[]).contains("positive"));
        }
        let mut options = ChatOptions::default();
        field(PENALTY, json!(1.2))(&mut options);
        let asks = [ObservationKind::CategoryNames];
        LocalAnswerer::complete(&mut options, &asks).unwrap();
        assert_eq!(options.fields[PENALTY], 1.2);
    }

    #[test]
    fn the_placeholder_lists_names() {
        let found = LocalAnswerer::locate(PLACEHOLDER_ANSWERER, &WeightOptions::default());
        let prompt = BuiltInPrompt::of_kind(ObservationKind::CategoryNames).unwrap();
        let found = found.unwrap().unwrap();
        let model = found.asked(&Prompt::from(prompt), &ChatOptions::default());
        let image = Image::new(1, 2, vec![0.0, 0.0, 0.6, 1.0, 1.0, 1.0]).unwrap();
        let asked = Asked::about(image, None).unwrap();
        let mut answers = Vec::new();
        let kept = model.unwrap().ask_each(vec![asked], |index, answer| {
            answers.push((index, answer?));
            Ok::<_, ModelError>(())
        });
        kept.unwrap();
        let [(0, answer)] = &answers[..] else {
            panic!("{answers:?}");
        };
        let said = Said::read(ObservationKind::CategoryNames, &answer.text).unwrap();
        let Said::Names(names) = said else {
            panic!("{said:?}");
        };
        assert_eq!(names.0, ["dark blue", "bright grey"]);
        assert_eq!(
            (answer.model.as_str(), answer.is_cut_off()),
            ("colour-words", false)
        );
    }
}
