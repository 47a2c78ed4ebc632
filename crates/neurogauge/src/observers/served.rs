//! Vision-language models, behind a server or here: images to captions, categories or names.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    AnsweredBy, AskedImages, FailedItem, Images, Keyed, Perceived, Seen, Session, Step,
    StepContext, StepOutput, image_error, prefix,
};
use crate::model_weights::obtain;
use crate::option_names::MLLM_URL;
use crate::progress::Progress;
use crate::settings::{OnFailure, RunSettings};
use crate::store::{Kept, journal};
use neurogauge_core::{Image, ModelIdentity, ObservationKind, Warning};
use neurogauge_formats::store::{ContentKey, KeyPrefix, Store};
use neurogauge_models::ModelError;
use neurogauge_models::answering::LocalAnswerer;
use neurogauge_models::chat::{
    Answer, Asked, AskedModel, BuiltInPrompt, CAPTION, ChatOptions, ChatServer, Prompt, Said,
    ServedModel, YesNo,
};
use neurogauge_models::registry::did_you_mean;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The environment variable with the address of the server, where no option has it.
const SERVER_VARIABLE: &str = "NEUROGAUGE_MLLM";

/// What models behind a server can be asked for, in the order in which they are asked.
pub const ASKED_KINDS: [ObservationKind; 4] = [
    ObservationKind::Captions,
    ObservationKind::Categories,
    ObservationKind::CategoryNames,
    ObservationKind::VqaScores,
];

/// A model behind a server, or one of [`LocalAnswerer::ids`], which needs none, and what it is asked. Where a server is stands
/// in [`RunSettings::mllm_servers`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MllmChoice {
    /// Its id, or what the server calls it.
    pub model: String,
    /// What it is asked for: captions, categories, VLM categories or VQA scores. Empty: what the metrics need and nobody gives.
    #[serde(default)]
    pub asks: Vec<ObservationKind>,
    /// The prompt of each kind; those that are missing are the papers' (convention `chat-prompts`).
    #[serde(default)]
    pub prompts: BTreeMap<ObservationKind, Prompt>,
    /// How it answers (convention `chat-request`).
    #[serde(default)]
    pub options: ChatOptions,
}

impl MllmChoice {
    /// The prompt for a kind.
    fn prompt(&self, kind: ObservationKind) -> Option<Prompt> {
        let own = self.prompts.get(&kind).cloned();
        own.or_else(|| BuiltInPrompt::of_kind(kind).map(Prompt::from))
    }

    /// Names every prompt, and puts what is asked into its order.
    ///
    /// # Errors
    /// Something that no model can be asked for; fields of a request that cannot be chosen.
    pub(crate) fn complete(&mut self) -> Result<(), Error> {
        self.options.check().map_err(Error::Usage)?;
        if LocalAnswerer::is_known(&self.model) {
            LocalAnswerer::complete(&self.model, &mut self.options, &self.asks)
                .map_err(Error::Usage)?;
        }
        for &kind in &self.asks {
            let prompt = self.prompt(kind).ok_or_else(|| {
                let kinds = ASKED_KINDS.map(ObservationKind::noun).join(", ");
                Error::Usage(format!(
                    "models behind a server are asked for {kinds}, not for {}",
                    kind.noun()
                ))
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
        self.asks = ASKED_KINDS
            .into_iter()
            .filter(|kind| self.asks.contains(kind))
            .collect();
        Ok(())
    }
}

/// How observations were asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecipe {
    /// What the answers are.
    pub makes: ObservationKind,
    /// What a server calls the model, of revision `served`: nobody knows its weights here. Or which weights it has.
    pub model: ModelIdentity,
    /// What it was asked.
    pub prompt: Prompt,
    /// How it answers.
    pub options: ChatOptions,
}

/// A model behind a server, or one that needs none, that is asked for one kind of observation.
pub(crate) struct ServedObserver {
    recipe: AnswerRecipe,
    server: Option<ChatServer>,
    own: Option<LocalAnswerer>,
}

impl ServedObserver {
    /// For each kind that a choice asks for. Nothing is sent; the weights of a model that needs no server are found.
    pub(crate) fn all(
        choice: &MllmChoice,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Vec<ServedObserver>, Error> {
        let named = |name: &str| settings.mllm_servers.get(name).cloned();
        let server = named(&choice.model).or_else(|| named(""));
        let mut own = None;
        if LocalAnswerer::is_known(&choice.model) {
            if server.is_some() {
                let needs = "needs no server; leave out its address, or say what the server calls its model";
                return Err(Error::Usage(format!(
                    "{MLLM_URL}: {} {needs}",
                    choice.model
                )));
            }
            own = Some(obtain(&choice.model, settings, progress)?);
        }
        let from_environment = || {
            std::env::var(SERVER_VARIABLE)
                .ok()
                .filter(|url| !url.is_empty())
        };
        let server = server.or_else(|| from_environment().map(|url| ChatServer::at(&url)));
        if let Some(server) = &server {
            let checked = server.base();
            checked.map_err(|error| Error::Usage(error.to_string()))?;
        }
        let of_kind = |&kind: &ObservationKind| {
            let prompt = choice.prompt(kind)?;
            Some(ServedObserver {
                recipe: AnswerRecipe {
                    makes: kind,
                    model: match &own {
                        Some(own) => LocalAnswerer::identity(own).clone(),
                        None => ServedModel::identity(&choice.model),
                    },
                    prompt,
                    options: match kind {
                        kind if own.is_some() => LocalAnswerer::request(kind, &choice.options),
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

    /// What is said if it is neither behind a server that is named nor a model of our own.
    fn without_server(&self) -> Error {
        let AnswerRecipe { makes, model, .. } = &self.recipe;
        let known = LocalAnswerer::ids();
        Error::Usage(format!(
            "{} is to be asked for {}, and not all of its answers are known; say where it is served: {MLLM_URL}, or \
             {SERVER_VARIABLE} in the environment. Models that need no server: {}{}",
            model.id,
            makes.noun(),
            known.join(", "),
            did_you_mean(&model.id, &known)
        ))
    }

    /// The name of its journal: the model's, without what a file name cannot have.
    fn journal_name(model: &str) -> String {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        };
        model.chars().map(plain).collect()
    }
}

impl Observer for ServedObserver {
    /// An image, and the caption that it is asked about.
    type Item = (Image<f32>, Option<String>);
    type Recipe = AnswerRecipe;
    type Model = AskedModel;
    type Input = Asked;
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

    fn load(&self) -> Result<Box<AskedModel>, Error> {
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
        let model = ServedModel::of(server, &model.id, (*makes, prompt), options)?;
        Ok(Box::new(AskedModel::Served(model)))
    }

    fn prepare(&self, (image, caption): Self::Item) -> Result<Asked, ModelError> {
        Asked::about(image, caption)
    }

    fn observe(
        &self,
        model: &AskedModel,
        images: &[Asked],
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
        model: &AskedModel,
        images: Vec<Asked>,
        progress: &(dyn Fn(usize) + Sync),
        done: &mut super::Done<'_, Answer>,
    ) -> Result<(), Error> {
        model.ask_each(images, |image, answer| {
            progress(1);
            done(vec![(image, answer)])
        })
    }
}

impl Step for ServedObserver {
    fn makes(&self) -> ObservationKind {
        self.recipe.makes
    }

    fn kept(&self, step: &StepContext<'_>) -> Result<Kept, Error> {
        let (own, journal) = (
            step.places.kept(),
            Self::journal_name(&self.recipe.model.id),
        );
        Kept::journal(Self::ABOUT.makes, &journal, own, step.settings)
    }

    fn n_cached(
        &self,
        output: &StepOutput,
        step: &StepContext<'_>,
    ) -> Result<Option<usize>, Error> {
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
        let mut warn = |id, message| made.warnings.push(Warning::new(id, kind.noun(), message));
        if let Some(said) = not_reproducible(&model) {
            warn("not_reproducible", said);
        }
        let n_cut_off = made.outcome.n_cut_off;
        if n_cut_off > 0 {
            let message = format!(
                "{n_cut_off} answers of {} were cut off after {} tokens; what they would have said further is not counted",
                model.id, options.max_tokens
            );
            warn("answers_cut_off", message);
        }
        Ok(vec![made])
    }
}

/// What was said of the images of one source.
struct SourceAnswers {
    /// In the order of the source; nothing of an image that failed.
    said: Vec<(String, Option<Said>)>,
    failed: Vec<FailedItem>,
    n_seen: usize,
    n_cut_off: usize,
    answered_by: BTreeSet<AnsweredBy>,
}

impl SourceAnswers {
    /// What was said and is of the right kind.
    fn of<T>(&self, take: impl Fn(&Said) -> Option<T>) -> Vec<(String, T)> {
        let said = self.said.iter();
        let said = said.filter_map(|(stem, said)| Some((stem.clone(), take(said.as_ref()?)?)));
        said.collect()
    }
}

/// The images of a source to be asked about, each with the caption of its stimulus where there are `captions`.
fn asked_about<'a>(
    images: Images<'a>,
    captions: Option<Vec<Option<String>>>,
) -> AskedImages<'a, Option<String>> {
    let n_images = images.source.len();
    AskedImages {
        images,
        asked: match captions {
            Some(captions) => captions.into_iter().map(|text| text.map(Some)).collect(),
            None => vec![Some(None); n_images],
        },
        lacking: "its stimulus has no caption, so there is nothing to ask",
    }
}

/// The key of each image and the caption that it is asked about.
fn keys_of(prefix: &KeyPrefix, images: &AskedImages<'_, Option<String>>) -> Vec<ContentKey> {
    let record = images.images.record;
    let items = record.items.iter().zip(&images.asked);
    let key = |((_, sha256), asked): (&(String, String), &Option<Option<String>>)| match asked {
        Some(Some(caption)) => prefix.key(&[&record.form, sha256, caption]),
        _ => prefix.key(&[&record.form, sha256]),
    };
    items.map(key).collect()
}

/// Asks about the images of a source. What the store has is not asked again; without a cache, it is the journal `own`.
fn ask_about_images(
    session: &mut Session<'_, ServedObserver>,
    asked: &AskedImages<'_, Option<String>>,
    own: &Path,
    settings: &RunSettings,
) -> Result<SourceAnswers, Error> {
    let AnswerRecipe {
        makes,
        model,
        options,
        ..
    } = session.observer.recipe.clone();
    let name = ServedObserver::journal_name(&model.id);
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
    let (mut said, mut unread) = (Vec::with_capacity(keys.len()), Vec::new());
    let (mut n_cut_off, mut answered_by) = (0, BTreeSet::new());
    for (item, (stem, key)) in images.source.stems().iter().zip(keys).enumerate() {
        let Some(answer) = store.get(&key)? else {
            said.push((stem.clone(), None));
            continue;
        };
        // Of yes or no, the first word counts.
        let is_cut_off = answer.is_cut_off() && makes != ObservationKind::VqaScores;
        n_cut_off += usize::from(is_cut_off);
        answered_by.insert(AnsweredBy {
            model: answer.model.clone(),
            system_fingerprint: answer.system_fingerprint.clone(),
        });
        let read = Said::of(makes, &answer);
        let reason = match &read {
            Ok(_) => None,
            Err(reason) if is_cut_off => Some(format!(
                "{reason}; it was cut off after {} tokens, so allow more of them",
                options.max_tokens
            )),
            Err(reason) => Some(reason.clone()),
        };
        if let Some(reason) = reason {
            if executor.on_failure == OnFailure::Stop {
                let source = ModelError::Answer { reason };
                return Err(image_error(stem, images.source.path(), source));
            }
            unread.push((item, reason));
        }
        said.push((stem.clone(), read.ok()));
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
        said,
        failed,
        n_seen,
        n_cut_off,
        answered_by,
    })
}

/// Says that what a server answers may differ the next time; of a model that needs none, nothing.
fn not_reproducible(model: &ModelIdentity) -> Option<String> {
    ServedModel::is_served(model).then(|| {
        format!(
            "said by {} behind a server; they are kept, but asking again may give other words (not bit-reproducible)",
            model.id
        )
    })
}

/// Writes what was said of a kind into a file.
fn write_said(path: &Path, kind: ObservationKind, answers: &SourceAnswers) -> Result<(), Error> {
    use neurogauge_core::Captions;
    use neurogauge_formats::{captions, categorisation, category_names, vqa_scores};
    match kind {
        ObservationKind::Captions => {
            let texts = answers.of(|said| match said {
                Said::Caption(text) => Some(Captions(vec![text.clone()])),
                _ => None,
            });
            captions::write_json(path, &texts)?;
        }
        ObservationKind::Categories => {
            let found = answers.of(|said| match said {
                Said::Categories(found) => Some(found.clone()),
                _ => None,
            });
            categorisation::write_json(path, &found)?;
        }
        ObservationKind::VqaScores => {
            let scores = answers.of(|said| match said {
                Said::YesNo(said) => Some(Some(said.yes)),
                _ => None,
            });
            vqa_scores::write_json(path, &scores)?;
        }
        _ => {
            let names = answers.of(|said| match said {
                Said::Names(names) => Some(names.clone()),
                _ => None,
            });
            category_names::write_json(path, &names)?;
        }
    }
    Ok(())
}
