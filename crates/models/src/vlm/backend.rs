//! Vision-language models that run in this process, without a server.

use super::{Answer, Beginning, BuiltInPrompt, CAPTION, Prompt, ServerModel, VlmInput, VlmOptions};
use crate::known::local_vlm::LocalVlm;
use crate::observers::local_vlm::{AnswerOptions, Vlm, YesNoVlm};
use crate::{AnswerScore, ModelError};
use neurogauge_core::ObservationKind;
use neurogauge_core::stopping::stop_if_asked;
use serde::Deserialize;
use serde_json::Value;

/// The field of a request with the penalty; servers that support one use the same name.
const PENALTY: &str = "repetition_penalty";
/// The field that says how the probability of an answer of several tokens is computed ([`AnswerScore`]).
const SCORE: &str = "score";

/// A model that answers questions about images, behind a server or in this process.
pub enum VlmBackend {
    Server(ServerModel),
    /// In this process.
    Local(InProcessModel),
}

/// A model in this process, and its prompt.
pub struct InProcessModel {
    way: Way,
    prompt: String,
}

/// The form of its answers.
enum Way {
    Words(Box<dyn Vlm>, AnswerOptions),
    YesNo(Box<dyn YesNoVlm>),
}

impl VlmBackend {
    /// Asks about each image and hands over each answer as it arrives.
    ///
    /// # Errors
    /// As in [`ServerModel::ask_each`]; errors of `done`. A single image without an answer is passed to `done` as
    /// an error.
    pub fn ask_each<E: From<ModelError>>(
        &self,
        images: Vec<VlmInput>,
        mut done: impl FnMut(usize, Result<Answer, ModelError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = match self {
            VlmBackend::Server(model) => return model.ask_each(images, done),
            VlmBackend::Local(own) => own,
        };
        for (index, image) in images.iter().enumerate() {
            stop_if_asked();
            done(index, own.answer(image))?;
        }
        Ok(())
    }
}

impl InProcessModel {
    fn answer(&self, asked: &VlmInput) -> Result<Answer, ModelError> {
        let prompt = match &asked.caption {
            Some(caption) => self.prompt.replace(CAPTION, caption),
            None => self.prompt.clone(),
        };
        let (model, text, is_cut_off, beginnings) = match &self.way {
            Way::Words(model, options) => {
                let written = model.answer(&asked.image, &prompt, options)?;
                (model.identity(), written.text, written.is_cut_off, None)
            }
            Way::YesNo(model) => {
                let beginnings = model.beginnings(&asked.image, &prompt)?;
                let likeliest = beginnings.iter().max_by(|a, b| a.logprob.total_cmp(&b.logprob));
                let text = likeliest.map_or_else(String::new, |one| one.token.trim().to_owned());
                (model.identity(), text, false, Some(beginnings))
            }
        };
        let finish_reason = if is_cut_off { "length" } else { "stop" };
        Ok(Answer {
            text,
            finish_reason: finish_reason.to_owned(),
            model: model.id.clone(),
            system_fingerprint: None,
            repetition: 0,
            beginnings,
        })
    }
}

impl LocalVlm {
    /// Is this the id of a model that needs no server?
    ///
    /// ```
    /// use neurogauge_models::local_vlm::LocalVlm;
    /// assert!(LocalVlm::is_known("qwen2.5-vl-7b"));
    /// assert!(!LocalVlm::is_known("Qwen/Qwen2.5-VL-7B-Instruct"));
    /// ```
    pub fn is_known(id: &str) -> bool {
        Self::ids().contains(&id)
    }

    /// Completes a request to the model `id`, so that it contains every field that affects the answer (conventions
    /// `picture-questions`, `vqa-score`).
    ///
    /// # Errors
    /// A field or a temperature that this model does not support; observations that it does not make.
    ///
    /// ```
    /// use neurogauge_models::local_vlm::LocalVlm;
    /// use neurogauge_models::vlm::VlmOptions;
    /// let mut options = VlmOptions::default();
    /// LocalVlm::complete("qwen2.5-vl-7b", &mut options, &[])?;
    /// assert_eq!(options.fields["repetition_penalty"], 1.05);
    /// options.temperature = 0.2;
    /// assert!(LocalVlm::complete("qwen2.5-vl-7b", &mut options, &[]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn complete(id: &str, options: &mut VlmOptions, asks: &[ObservationKind]) -> Result<(), String> {
        let only_scores = Self::only_scores(id);
        let is_yes_or_no = BuiltInPrompt::is_yes_or_no;
        if let Some(kind) = asks.iter().find(|kind| only_scores && !is_yes_or_no(**kind)) {
            let expected = ObservationKind::ALL.into_iter().filter(|kind| is_yes_or_no(*kind));
            return Err(format!(
                "{id} says yes or no and writes no text, so no {}; expected {}",
                kind.noun(),
                expected.map(ObservationKind::noun).collect::<Vec<_>>().join(" or ")
            ));
        }
        if options.temperature != 0.0 || options.seed != 0 {
            return Err("models that are asked here write greedily; expected temperature 0 and seed 0".to_owned());
        }
        let known = if only_scores { SCORE } else { PENALTY };
        if let Some(name) = options.fields.keys().find(|name| *name != known) {
            return Err(format!(
                "the field {name:?} of a request says nothing to a model that is asked here; expected {known}"
            ));
        }
        if only_scores {
            let usual = serde_json::to_value(AnswerScore::default()).unwrap_or_default();
            let score = options.fields.entry(SCORE).or_insert(usual);
            return AnswerScore::deserialize(&*score)
                .map(|_| ())
                .map_err(|_| format!("{SCORE} {score}; expected \"t2v\" or \"first-token\", in quotes"));
        }
        let usual = shortest(AnswerOptions::REPETITION_PENALTY);
        let penalty = options.fields.entry(PENALTY).or_insert(usual);
        match penalty.as_f64() {
            Some(value) if value.is_finite() && value > 0.0 => Ok(()),
            _ => Err(format!("{PENALTY} {penalty}; expected a positive number (1 changes nothing)")),
        }
    }

    /// The fields of a completed request that affect answers of this kind: a probability does not depend on penalties.
    #[must_use]
    pub fn request(kind: ObservationKind, options: &VlmOptions) -> VlmOptions {
        let mut own = options.clone();
        if BuiltInPrompt::is_yes_or_no(kind) {
            own.fields.remove(PENALTY);
            own.max_tokens = Beginning::TOKENS;
        }
        own
    }

    /// Reads the weights. `makes` is the kind of answers.
    ///
    /// # Errors
    /// As in [`load`](Self::load) and [`load_yes_no`](Self::load_yes_no).
    pub fn asked(
        &self,
        (makes, prompt): (ObservationKind, &Prompt),
        options: &VlmOptions,
    ) -> Result<VlmBackend, ModelError> {
        let way = if BuiltInPrompt::is_yes_or_no(makes) {
            let score = options.fields.get(SCORE);
            let score = score.and_then(|score| AnswerScore::deserialize(score).ok());
            Way::YesNo(self.load_yes_no(score.unwrap_or_default())?)
        } else {
            let usual = f64::from(AnswerOptions::REPETITION_PENALTY);
            let penalty = options.fields.get(PENALTY).and_then(Value::as_f64);
            let options = AnswerOptions {
                max_new_tokens: options.max_tokens as usize,
                repetition_penalty: penalty.unwrap_or(usual) as f32,
            };
            Way::Words(self.load()?, options)
        };
        Ok(VlmBackend::Local(InProcessModel {
            way,
            prompt: prompt.text.clone(),
        }))
    }
}

/// As few digits as are needed to read the same number back.
fn shortest(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeightOptions;
    use crate::known::local_vlm::PLACEHOLDER_VLM;
    use crate::vlm::ParsedAnswer;
    use neurogauge_core::Image;
    use serde_json::json;

    fn field(name: &str, value: Value) -> VlmOptions {
        let mut options = VlmOptions::default();
        options.fields.insert(name.to_owned(), value);
        options
    }

    #[test]
    fn a_request_has_nothing_that_would_be_passed_over() {
        let refused = |mut options: VlmOptions| LocalVlm::complete("qwen2.5-vl-7b", &mut options, &[]).unwrap_err();
        let seeded = VlmOptions {
            seed: 3,
            ..VlmOptions::default()
        };
        assert!(refused(seeded).contains("seed"));
        assert!(refused(field("top_p", json!(0.5))).contains("top_p"));
        assert!(refused(field(SCORE, json!("t2v"))).contains(SCORE));
        for penalty in [json!(0), json!(-1.0), json!("much")] {
            assert!(refused(field(PENALTY, penalty)).contains("positive"));
        }
        let mut options = field(PENALTY, json!(1.2));
        let asks = [ObservationKind::CategoryNames, ObservationKind::VqaScores];
        LocalVlm::complete("qwen2.5-vl-7b", &mut options, &asks).unwrap();
        assert_eq!(options.fields[PENALTY], 1.2);
        let [names, scores] = asks.map(|kind| LocalVlm::request(kind, &options));
        assert_eq!((names, scores.fields.len()), (options, 0));
    }

    #[test]
    fn a_model_of_yes_and_no_is_asked_for_nothing_else() {
        let complete = |mut options: VlmOptions, asks: &[ObservationKind]| {
            LocalVlm::complete("clip_flant5_xl", &mut options, asks).map(|()| options)
        };
        let scores = [ObservationKind::VqaScores];
        let completed = complete(VlmOptions::default(), &scores).unwrap();
        assert_eq!(completed.fields[SCORE], "t2v");
        let first = complete(field(SCORE, json!("first-token")), &scores).unwrap();
        let first = LocalVlm::request(scores[0], &first);
        assert_eq!(first.fields[SCORE], "first-token");
        for (options, asks, part) in [
            (VlmOptions::default(), ObservationKind::Captions, "no text"),
            (field(SCORE, json!("sum")), scores[0], "first-token"),
            (field(PENALTY, json!(1.0)), scores[0], "expected score"),
        ] {
            let reason = complete(options, &[asks]).unwrap_err();
            assert!(reason.contains(part), "{reason}");
        }
        let found = LocalVlm::entry("clip_flant5_xl").unwrap();
        assert!(found.weights().path.starts_with("pytorch_model"));
    }

    /// The placeholder's answers about a picture that is dark blue above and bright grey below, for each of these
    /// captions.
    fn answers(kind: ObservationKind, captions: &[Option<&str>]) -> Vec<Answer> {
        let found = LocalVlm::locate(PLACEHOLDER_VLM, &WeightOptions::default()).unwrap().unwrap();
        let prompt = Prompt::from(BuiltInPrompt::of_kind(kind).unwrap());
        let model = found.asked((kind, &prompt), &VlmOptions::default()).unwrap();
        let image = Image::new(1, 2, vec![0.0, 0.0, 0.6, 1.0, 1.0, 1.0]).unwrap();
        let about = |caption: &Option<&str>| VlmInput::about(image.clone(), caption.map(str::to_owned)).unwrap();
        let mut answers = Vec::new();
        let asked = model.ask_each(captions.iter().map(about).collect(), |index, answer| {
            assert_eq!(index, answers.len());
            answers.push(answer?);
            Ok::<_, ModelError>(())
        });
        asked.unwrap();
        answers
    }

    /// The placeholder sees two colours, of which the question names none, one or both.
    #[test]
    fn yes_and_no_come_as_from_a_server() {
        let kind = ObservationKind::VqaScores;
        let answers = answers(kind, &["a dog", "dark blue", "dark blue below bright grey"].map(Some));
        assert_eq!(answers.len(), 3);
        for (answer, (word, probability)) in answers.iter().zip([("No", 0.25), ("No", 0.5), ("Yes", 0.75)]) {
            let Ok(ParsedAnswer::YesNo(read)) = ParsedAnswer::of(kind, answer) else {
                panic!("{answer:?}");
            };
            assert!((read.yes - probability).abs() < 1e-12, "{}", read.yes);
            assert!(answer.text == word || probability == 0.5, "{}", answer.text);
        }
    }

    #[test]
    fn the_placeholder_lists_names() {
        let answers = answers(ObservationKind::CategoryNames, &[None]);
        let [answer] = &answers[..] else {
            panic!("{answers:?}");
        };
        let parsed = ParsedAnswer::read(ObservationKind::CategoryNames, &answer.text).unwrap();
        let ParsedAnswer::Names(names) = parsed else {
            panic!("{parsed:?}");
        };
        assert_eq!(names.0, ["dark blue", "bright grey"]);
        assert_eq!((answer.model.as_str(), answer.is_cut_off()), ("colour-words", false));
    }
}
