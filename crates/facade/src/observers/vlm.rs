//! Vision-language models, behind a server or local, which give images captions, categories or names.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    AnsweredBy, Executor, Found, PromptedImages, SourceItems, StepContext, StepInputs, StepMemory, StepObserver,
    StepResult, image_error, n_pixels,
};
use crate::model_weights::obtain;
use crate::option_names::VLM_URL;
use crate::progress::Progress;
use crate::settings::{OnFailure, RunSettings};
use crate::store::journal;
use neurogauge_core::{Finding, Image, ImageSet, ModelIdentity, ObservationKind};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::json;
use neurogauge_formats::store::Store;
use neurogauge_models::local_vlm::LocalVlm;
use neurogauge_models::registry::did_you_mean;
use neurogauge_models::vlm::{
    Answer, BuiltInPrompt, CAPTION, ParsedAnswer, Prompt, ServerModel, VlmBackend, VlmInput, VlmOptions, VlmServer,
    YesNo,
};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The environment variable for the address of the server, used if no option gives it.
pub const VLM_SERVER_VARIABLE: &str = "NEUROGAUGE_VLM";

/// The kinds that models behind a server can be asked for, in the order of asking, with a description of each.
pub const VLM_KINDS: [(ObservationKind, &str); 5] = [
    (ObservationKind::Captions, "A description of each image"),
    (ObservationKind::Categories, "Objects with their parts, and background (for masks)"),
    (ObservationKind::CategoryNames, "The names of what is in each image"),
    (ObservationKind::ImageTexts, "The texts that are written in each image"),
    (ObservationKind::VqaScores, "Whether each reconstruction shows what its stimulus's caption says"),
];

/// A model behind a server, or one of [`LocalVlm::ids`], which need no server, and its tasks.
/// [`RunSettings::vlm_servers`] has the addresses of servers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VlmChoice {
    /// Its id, or the server's name for it.
    pub model: String,
    /// The kinds it is asked for: captions, categories, VLM categories, texts in images or VQA scores. If empty, only
    /// inputs that the metrics need and the user did not provide.
    #[serde(default)]
    pub asks: Vec<ObservationKind>,
    /// The prompt for each kind; the default is the paper's (convention `chat-prompts`).
    #[serde(default)]
    pub prompts: BTreeMap<ObservationKind, Prompt>,
    /// How it answers (convention `chat-request`).
    #[serde(default)]
    pub options: VlmOptions,
}

impl VlmChoice {
    /// A model as it is asked by default.
    pub fn of(model: String) -> Self {
        VlmChoice {
            model,
            asks: Vec::new(),
            prompts: BTreeMap::new(),
            options: VlmOptions::default(),
        }
    }

    fn prompt(&self, kind: ObservationKind) -> Option<Prompt> {
        self.prompts.get(&kind).cloned().or_else(|| BuiltInPrompt::of_kind(kind).map(Prompt::from))
    }

    /// Fills in every prompt, and sorts the kinds into the order of asking.
    pub(crate) fn complete(&mut self) -> Result<(), Error> {
        self.options.check().map_err(Error::Usage)?;
        if LocalVlm::is_known(&self.model) {
            LocalVlm::complete(&self.model, &mut self.options, &self.asks).map_err(Error::Usage)?;
        }
        for &kind in &self.asks {
            let prompt = self.prompt(kind).ok_or_else(|| {
                let kinds = VLM_KINDS.map(|(kind, _)| kind.noun()).join(", ");
                Error::Usage(format!("models behind a server are asked for {kinds}, not for {}", kind.noun()))
            })?;
            if kind == ObservationKind::VqaScores && !prompt.text.contains(CAPTION) {
                return Err(Error::Usage(format!(
                    "the prompt {:?} for {} has no place for the caption; expected {CAPTION} in it",
                    prompt.id,
                    kind.noun()
                )));
            }
            self.prompts.insert(kind, prompt);
        }
        let asks = &self.asks;
        self.prompts.retain(|kind, _| asks.contains(kind));
        self.asks = VLM_KINDS.into_iter().map(|(kind, _)| kind).filter(|kind| self.asks.contains(kind)).collect();
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecipe {
    pub makes: ObservationKind,
    /// The model. For a server, its name there with revision `served`, since its weights are unknown here; otherwise
    /// its weights.
    pub model: ModelIdentity,
    pub prompt: Prompt,
    pub options: VlmOptions,
}

/// A model, behind a server or on this machine, that is asked for one kind of observation.
pub(crate) struct VlmObserver {
    recipe: AnswerRecipe,
    server: Option<VlmServer>,
    own: Option<LocalVlm>,
}

impl VlmObserver {
    /// One observer for each kind that a choice asks for. Nothing is sent; the weights of a local model are found.
    pub(crate) fn all(
        choice: &VlmChoice,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Vec<VlmObserver>, Error> {
        let named = |name: &str| settings.vlm_servers.get(name).cloned();
        let server = named(&choice.model).or_else(|| named(""));
        let mut own = None;
        if LocalVlm::is_known(&choice.model) {
            if server.is_some() {
                let needs = "needs no server; leave out its address, or say what the server calls its model";
                return Err(Error::Usage(format!("{VLM_URL}: {} {needs}", choice.model)));
            }
            own = Some(obtain(&choice.model, settings, progress)?);
        }
        let from_environment = || std::env::var(VLM_SERVER_VARIABLE).ok().filter(|url| !url.is_empty());
        let server = server.or_else(|| from_environment().map(|url| VlmServer::at(&url)));
        if let Some(server) = &server {
            server.base().map_err(|error| Error::Usage(error.to_string()))?;
        }
        let of_kind = |&kind: &ObservationKind| {
            let prompt = choice.prompt(kind)?;
            Some(VlmObserver {
                recipe: AnswerRecipe {
                    makes: kind,
                    model: match &own {
                        Some(own) => LocalVlm::identity(own).clone(),
                        None => ServerModel::identity(&choice.model),
                    },
                    prompt,
                    options: match kind {
                        kind if own.is_some() => LocalVlm::request(kind, &choice.options),
                        ObservationKind::VqaScores => YesNo::asking(&choice.options),
                        _ => choice.options.clone(),
                    },
                },
                server: server.clone(),
                own: own.clone(),
            })
        };
        Ok(choice.asks.iter().filter_map(of_kind).collect())
    }

    /// The error for a model that is neither behind a named server nor local.
    fn without_server(&self) -> Error {
        let AnswerRecipe { makes, model, .. } = &self.recipe;
        let known = LocalVlm::ids();
        Error::Usage(format!(
            "{} is to be asked for {}, and not all of its answers are known; say where it is served: {VLM_URL}, or \
             {VLM_SERVER_VARIABLE} in the environment. Models that need no server: {}{}",
            model.id,
            makes.noun(),
            known.join(", "),
            did_you_mean(&model.id, &known)
        ))
    }

    /// The name of its journal: the model's name without characters that file names cannot have.
    fn journal_name(model: &str) -> String {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }
        };
        model.chars().map(plain).collect()
    }
}

impl Observer for VlmObserver {
    /// An image, and the caption that the question quotes.
    type Item = (Image<f32>, Option<String>);
    type Recipe = AnswerRecipe;
    type Model = VlmBackend;
    type Input = VlmInput;
    type Output = Answer;

    const ABOUT: About = About::of("answer", "0.1.0", ObservationKind::Answers, 32);
    /// Stored at once because an answer may have cost money.
    const KEPT_AT_ONCE: bool = true;

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &AnswerRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<VlmBackend>, Error> {
        let recipe = &self.recipe;
        let asked = (recipe.makes, &recipe.prompt);
        if let Some(own) = &self.own {
            return Ok(Box::new(own.asked(asked, &recipe.options)?));
        }
        let server = (self.server.as_ref()).ok_or_else(|| self.without_server())?;
        let model = ServerModel::of(server, &recipe.model.id, asked, &recipe.options)?;
        Ok(Box::new(VlmBackend::Server(model)))
    }

    fn prepare(&self, (image, caption): Self::Item) -> Result<VlmInput, ModelError> {
        VlmInput::about(image, caption)
    }

    fn observe(
        &self,
        model: &VlmBackend,
        images: &[VlmInput],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Answer>, ModelError> {
        let mut answers = vec![None; images.len()];
        model.ask_each(images.to_vec(), |image, answer| {
            answers[image] = Some(answer?);
            progress(1);
            Ok::<_, ModelError>(())
        })?;
        Ok(answers.into_iter().flatten().collect())
    }

    fn observe_each(
        &self,
        model: &VlmBackend,
        images: Vec<VlmInput>,
        progress: &(dyn Fn(usize) + Sync),
        done: &mut super::Done<'_, Answer>,
    ) -> Result<(), Error> {
        model.ask_each(images, |image, answer| {
            progress(1);
            done(vec![(image, answer)])
        })
    }
}

impl StepObserver for VlmObserver {
    /// The memory of a model behind a server is unknown.
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let Some(own) = &self.own else {
            return Ok(None);
        };
        let id = &self.recipe.model.id;
        let weights = own.weight_memory(DeviceChoice::of(own.identity()))?;
        Ok(StepMemory::of_large_images(id, weights, Self::ABOUT, inputs, n_pixels))
    }

    fn makes(&self) -> ObservationKind {
        self.recipe.makes
    }

    fn kept_as(&self) -> (ObservationKind, String) {
        (Self::ABOUT.makes, Self::journal_name(&self.recipe.model.id))
    }

    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error> {
        let Some(images) = step.inputs.images(of) else {
            return Ok(None);
        };
        let asked = match (self.recipe.makes, step.inputs.captions_of_stimuli(of)) {
            (ObservationKind::VqaScores, None) => return Ok(None),
            (ObservationKind::VqaScores, Some(captions)) => captions.into_iter().map(|text| text.map(Some)).collect(),
            _ => vec![Some(None); images.source.len()],
        };
        let prompted = PromptedImages {
            images,
            asked,
            lacking: "its stimulus has no caption, so there is nothing to ask",
        };
        let in_key = |asked: &Option<Option<String>>| Ok(asked.clone().flatten().into_iter().collect());
        SourceItems::of_images(self, prompted, in_key).map(Some)
    }

    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<Answer> + Send>, Error> {
        let (kind, name) = self.kept_as();
        let own = step.places.journal(self.recipe.makes, &name);
        Ok(Box::new(journal::<Answer>(kind, &name, &own, step.settings)?))
    }

    fn check_ready(&self, is_cached: bool) -> Result<(), Error> {
        match is_cached || self.server.is_some() || self.own.is_some() {
            true => Ok(()),
            false => Err(self.without_server()),
        }
    }

    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error> {
        let AnswerRecipe {
            makes, model, options, ..
        } = &self.recipe;
        let executor = Executor::new(found.step.settings, found.step.progress);
        let (mut parsed, mut unread, mut n_cut_off) = (Vec::new(), Vec::new(), 0);
        for answer in found.of_images() {
            let (place, answer) = answer?;
            let stem = found.stem(place);
            // Only the first word of a yes/no answer counts.
            let is_cut_off = answer.is_cut_off() && *makes != ObservationKind::VqaScores;
            n_cut_off += usize::from(is_cut_off);
            let read = ParsedAnswer::of(*makes, &answer);
            made.outcome.answered_by.insert(AnsweredBy {
                model: answer.model,
                system_fingerprint: answer.system_fingerprint,
            });
            let reason = match read {
                Ok(read) => {
                    parsed.push((stem.to_owned(), read));
                    continue;
                }
                Err(reason) if is_cut_off => {
                    format!("{reason}; it was cut off after {} tokens, so allow more of them", options.max_tokens)
                }
                Err(reason) => reason,
            };
            if executor.on_failure == OnFailure::Stop {
                let path = found.source.images.map_or(Path::new(""), ImageSource::path);
                return Err(image_error(stem, path, ModelError::Item(reason)));
            }
            unread.push((stem, reason));
        }
        let role = &found.source.role;
        made.outcome.failed.extend(executor.failed(("image", role), unread.into_iter()));
        made.outcome.n_cut_off += n_cut_off;
        if n_cut_off > 0 {
            executor.progress.note(&format!(
                "{n_cut_off} of {} answers of {} about {role} were cut off after {} tokens",
                found.source.stems.len(),
                model.id,
                options.max_tokens
            ));
        }
        match found.file(made) {
            Some(path) => Ok(json::write_by_stem(&path, &parsed, ParsedAnswer::form)?),
            None => Ok(()),
        }
    }

    fn finish(&self, made: &mut StepResult) {
        let (id, subject) = (&self.recipe.model.id, self.recipe.makes.noun());
        if ServerModel::is_served(&self.recipe.model) {
            let message = format!(
                "said by {id} behind a server; they are kept, but asking again may give other words (not bit-reproducible)"
            );
            made.findings.push(Finding::note("not_reproducible", subject, message));
        }
        if made.outcome.n_cut_off > 0 {
            let message = format!(
                "{} answers of {id} were cut off after {} tokens; the rest of each answer is missing",
                made.outcome.n_cut_off, self.recipe.options.max_tokens
            );
            made.findings.push(Finding::warning("answers_cut_off", subject, message));
        }
    }
}
