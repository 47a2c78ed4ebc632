//! Vision-language models, behind a server or here: images to captions, categories or names.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    AnsweredBy, FailedItem, Images, Keyed, Perceived, PromptedImages, Seen, Session, Step, StepContext, StepInputs,
    StepMemory, StepOutput, image_error, n_pixels, prefix,
};
use crate::model_weights::obtain;
use crate::option_names::VLM_URL;
use crate::progress::Progress;
use crate::settings::{OnFailure, RunSettings};
use crate::store::{Kept, journal};
use neurogauge_core::{Finding, Image, ModelIdentity, ObservationKind};
use neurogauge_formats::store::{ContentKey, KeyPrefix, Store};
use neurogauge_models::local_vlm::LocalVlm;
use neurogauge_models::registry::did_you_mean;
use neurogauge_models::vlm::{
    Answer, BuiltInPrompt, CAPTION, ParsedAnswer, Prompt, ServerModel, VlmBackend, VlmInput, VlmOptions, VlmServer,
    YesNo,
};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The environment variable with the address of the server, used if no option gives it.
const SERVER_VARIABLE: &str = "NEUROGAUGE_VLM";

/// The kinds that models behind a server can be asked for, in the order of asking.
pub const VLM_KINDS: [ObservationKind; 5] = [
    ObservationKind::Captions,
    ObservationKind::Categories,
    ObservationKind::CategoryNames,
    ObservationKind::ImageTexts,
    ObservationKind::VqaScores,
];

/// A model behind a server, or one of [`LocalVlm::ids`], which need no server, and its tasks. The addresses of servers
/// are in [`RunSettings::vlm_servers`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VlmChoice {
    /// Its id, or the server's name for it.
    pub model: String,
    /// What it is asked for: captions, categories, VLM categories, texts in images or VQA scores. Empty: only inputs
    /// that the metrics need and that the user did not provide.
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
    fn prompt(&self, kind: ObservationKind) -> Option<Prompt> {
        self.prompts.get(&kind).cloned().or_else(|| BuiltInPrompt::of_kind(kind).map(Prompt::from))
    }

    /// Fills in every prompt, and sorts the kinds into the order of asking.
    ///
    /// # Errors
    /// A kind that no model can be asked for; fields of a request that cannot be set.
    pub(crate) fn complete(&mut self) -> Result<(), Error> {
        self.options.check().map_err(Error::Usage)?;
        if LocalVlm::is_known(&self.model) {
            LocalVlm::complete(&self.model, &mut self.options, &self.asks).map_err(Error::Usage)?;
        }
        for &kind in &self.asks {
            let prompt = self.prompt(kind).ok_or_else(|| {
                let kinds = VLM_KINDS.map(ObservationKind::noun).join(", ");
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
        self.asks = VLM_KINDS.into_iter().filter(|kind| self.asks.contains(kind)).collect();
        Ok(())
    }
}

/// The recipe of a VLM's observations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecipe {
    pub makes: ObservationKind,
    /// The model: for a server, its name there with revision `served`, since its weights are unknown here; otherwise
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
        let from_environment = || std::env::var(SERVER_VARIABLE).ok().filter(|url| !url.is_empty());
        let server = server.or_else(|| from_environment().map(|url| VlmServer::at(&url)));
        if let Some(server) = &server {
            let checked = server.base();
            checked.map_err(|error| Error::Usage(error.to_string()))?;
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

    /// The error for a model that is neither behind a named server nor one of ours.
    fn without_server(&self) -> Error {
        let AnswerRecipe { makes, model, .. } = &self.recipe;
        let known = LocalVlm::ids();
        Error::Usage(format!(
            "{} is to be asked for {}, and not all of its answers are known; say where it is served: {VLM_URL}, or \
             {SERVER_VARIABLE} in the environment. Models that need no server: {}{}",
            model.id,
            makes.noun(),
            known.join(", "),
            did_you_mean(&model.id, &known)
        ))
    }

    /// The name of its journal: the model's name, without characters that a file name cannot have.
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

    const ABOUT: About = About {
        name: "answer",
        revision: "0.1.0",
        makes: ObservationKind::Answers,
        batch: 32,
    };
    /// An answer may have cost money.
    const KEPT_AT_ONCE: bool = true;

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &AnswerRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<VlmBackend>, Error> {
        let AnswerRecipe {
            makes,
            model,
            prompt,
            options,
        } = &self.recipe;
        if let Some(own) = &self.own {
            return Ok(Box::new(own.asked((*makes, prompt), options)?));
        }
        let server = (self.server.as_ref()).ok_or_else(|| self.without_server())?;
        let model = ServerModel::of(server, &model.id, (*makes, prompt), options)?;
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

impl Step for VlmObserver {
    /// Of a model behind a server nothing is known.
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

    fn kept(&self, step: &StepContext<'_>) -> Result<Kept, Error> {
        let (own, journal) = (step.places.kept(), Self::journal_name(&self.recipe.model.id));
        Kept::journal(Self::ABOUT.makes, &journal, own, step.settings)
    }

    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        let of = output.writes.of;
        let Some(images) = step.inputs.images(of) else {
            return Ok(None);
        };
        let captions = step.inputs.captions_of_stimuli(of);
        let asks_captions = self.recipe.makes == ObservationKind::VqaScores;
        if asks_captions && captions.is_none() {
            return Ok(None);
        }
        let asked = asked_about(images, captions.filter(|_| asks_captions));
        let keys = keys_of(&prefix(self)?, &asked);
        Ok(Some(self.kept(step)?.count(&keys)))
    }

    fn check_ready(&self, is_cached: bool) -> Result<(), Error> {
        match is_cached || self.server.is_some() || self.own.is_some() {
            true => Ok(()),
            false => Err(self.without_server()),
        }
    }

    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        let AnswerRecipe {
            makes: kind,
            model,
            options,
            ..
        } = self.recipe.clone();
        let mut made = Perceived::by(kind, &model);
        let own = step.places.journal(kind, &Self::journal_name(&model.id));
        let mut session = step.session(self);
        for (of, images) in step.images(kind) {
            let captions = match kind {
                ObservationKind::VqaScores => step.inputs.captions_of_stimuli(of),
                _ => None,
            };
            let asked = asked_about(images, captions);
            let found = ask_about_images(&mut session, &asked, &own, step.settings)?;
            if step.writes {
                let path = step.places.file(of, kind);
                write_said(&path, kind, &found)?;
                made.paths.push(path);
            }
            made.count(images.source.len(), found.n_seen, found.failed);
            made.outcome.answered_by.extend(found.answered_by);
            made.outcome.n_cut_off += found.n_cut_off;
        }
        let told = not_reproducible(&model);
        let told = told.map(|told| Finding::note("not_reproducible", kind.noun(), told));
        made.findings.extend(told);
        let n_cut_off = made.outcome.n_cut_off;
        if n_cut_off > 0 {
            let message = format!(
                "{n_cut_off} answers of {} were cut off after {} tokens; the rest of each answer is missing",
                model.id, options.max_tokens
            );
            let finding = Finding::warning("answers_cut_off", kind.noun(), message);
            made.findings.push(finding);
        }
        Ok(vec![made])
    }
}

/// The parsed answers about the images of one source.
struct SourceAnswers {
    /// In the order of the source; `None` for a failed image.
    parsed: Vec<(String, Option<ParsedAnswer>)>,
    failed: Vec<FailedItem>,
    n_seen: usize,
    n_cut_off: usize,
    answered_by: BTreeSet<AnsweredBy>,
}

impl SourceAnswers {
    /// The answers of the right kind.
    fn of<T>(&self, take: impl Fn(&ParsedAnswer) -> Option<T>) -> Vec<(String, T)> {
        let parsed = self.parsed.iter();
        parsed.filter_map(|(stem, parsed)| Some((stem.clone(), take(parsed.as_ref()?)?))).collect()
    }
}

/// The images of a source to ask about, each with the caption of its stimulus if there are `captions`.
fn asked_about<'a>(images: Images<'a>, captions: Option<Vec<Option<String>>>) -> PromptedImages<'a, Option<String>> {
    let n_images = images.source.len();
    PromptedImages {
        images,
        asked: match captions {
            Some(captions) => captions.into_iter().map(|text| text.map(Some)).collect(),
            None => vec![Some(None); n_images],
        },
        lacking: "its stimulus has no caption, so there is nothing to ask",
    }
}

/// The key of each image with the caption that the question quotes.
fn keys_of(prefix: &KeyPrefix, images: &PromptedImages<'_, Option<String>>) -> Vec<ContentKey> {
    let record = images.images.record;
    let items = record.items.iter().zip(&images.asked);
    let key = |((_, sha256), asked): (&(String, String), &Option<Option<String>>)| match asked {
        Some(Some(caption)) => prefix.key(&[&record.form, sha256, caption]),
        _ => prefix.key(&[&record.form, sha256]),
    };
    items.map(key).collect()
}

/// Asks about the images of a source. Answers in the store are not asked for again; without a cache, the store is the
/// journal `own`.
fn ask_about_images(
    session: &mut Session<'_, VlmObserver>,
    asked: &PromptedImages<'_, Option<String>>,
    own: &Path,
    settings: &RunSettings,
) -> Result<SourceAnswers, Error> {
    let AnswerRecipe {
        makes, model, options, ..
    } = session.observer.recipe.clone();
    let name = VlmObserver::journal_name(&model.id);
    let mut store = journal::<Answer>(ObservationKind::Answers, &name, own, settings)?;
    let prefix = prefix(&session.observer)?;
    let (images, keys) = (&asked.images, keys_of(&prefix, asked));
    let stage = format!("{} {}", model.id, images.record.role);
    let mut sink = Keyed {
        keys: &keys,
        store: &mut store,
    };
    let Seen { failures, n_seen } = session.observe(asked, &stage, &mut sink)?;
    let executor = &session.executor;
    let mut failed = executor.failed_images(images, failures);
    let (mut parsed, mut unread) = (Vec::with_capacity(keys.len()), Vec::new());
    let (mut n_cut_off, mut answered_by) = (0, BTreeSet::new());
    for (item, (stem, key)) in images.source.stems().iter().zip(keys).enumerate() {
        let Some(answer) = store.get(&key)? else {
            parsed.push((stem.clone(), None));
            continue;
        };
        // Only the first word of a yes/no answer counts.
        let is_cut_off = answer.is_cut_off() && makes != ObservationKind::VqaScores;
        n_cut_off += usize::from(is_cut_off);
        answered_by.insert(AnsweredBy {
            model: answer.model.clone(),
            system_fingerprint: answer.system_fingerprint.clone(),
        });
        let read = ParsedAnswer::of(makes, &answer);
        let reason = match &read {
            Ok(_) => None,
            Err(reason) if is_cut_off => {
                Some(format!("{reason}; it was cut off after {} tokens, so allow more of them", options.max_tokens))
            }
            Err(reason) => Some(reason.clone()),
        };
        if let Some(reason) = reason {
            if executor.on_failure == OnFailure::Stop {
                let source = ModelError::Answer { reason };
                return Err(image_error(stem, images.source.path(), source));
            }
            unread.push((item, reason));
        }
        parsed.push((stem.clone(), read.ok()));
    }
    failed.extend(executor.failed_images(images, unread));
    if n_cut_off > 0 {
        let role = &images.record.role;
        executor.progress.note(&format!(
            "{n_cut_off} of {} answers of {} about {role} were cut off after {} tokens",
            images.source.len(),
            model.id,
            options.max_tokens
        ));
    }
    Ok(SourceAnswers {
        parsed,
        failed,
        n_seen,
        n_cut_off,
        answered_by,
    })
}

/// A warning that a server may answer differently the next time; `None` for a local model.
fn not_reproducible(model: &ModelIdentity) -> Option<String> {
    ServerModel::is_served(model).then(|| {
        format!(
            "said by {} behind a server; they are kept, but asking again may give other words (not bit-reproducible)",
            model.id
        )
    })
}

/// Writes the answers of one kind to a file.
fn write_said(path: &Path, kind: ObservationKind, answers: &SourceAnswers) -> Result<(), Error> {
    use neurogauge_core::Captions;
    use neurogauge_formats::{captions, categorisation, category_names, vqa_scores};
    match kind {
        ObservationKind::Captions => {
            let texts = answers.of(|parsed| match parsed {
                ParsedAnswer::Caption(text) => Some(Captions(vec![text.clone()])),
                _ => None,
            });
            captions::write_json(path, &texts)?;
        }
        ObservationKind::Categories => {
            let found = answers.of(|parsed| match parsed {
                ParsedAnswer::Categories(found) => Some(found.clone()),
                _ => None,
            });
            categorisation::write_json(path, &found)?;
        }
        ObservationKind::VqaScores => {
            let scores = answers.of(|parsed| match parsed {
                ParsedAnswer::YesNo(parsed) => Some(Some(parsed.yes)),
                _ => None,
            });
            vqa_scores::write_json(path, &scores)?;
        }
        _ => {
            let names = answers.of(|parsed| match parsed {
                ParsedAnswer::Names(names) => Some(names.clone()),
                _ => None,
            });
            category_names::write_json(path, &names)?;
        }
    }
    Ok(())
}
