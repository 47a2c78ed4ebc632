//! Asks a model behind a server about many images.

use super::client::{Client, NoAnswer};
use super::{Answer, BuiltInPrompt, CAPTION, ParsedAnswer, Prompt, VlmOptions, VlmServer};
use crate::ModelError;
use crate::observers::preprocess::check_finite;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Image, ModelIdentity, ObservationKind};
use neurogauge_formats::image_file::png_bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often to check whether the call should stop while it waits for an answer.
const LOOK_UP: Duration = Duration::from_millis(100);

/// A model behind a server, and its prompt.
pub struct ServerModel {
    question: Arc<Question>,
    parallel: usize,
}

/// What a model is asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct VlmInput {
    pub(super) image: Image<f32>,
    pub(super) caption: Option<String>,
}

impl VlmInput {
    /// An image, and the text that replaces [`CAPTION`] in the prompt.
    ///
    /// # Errors
    /// [`ModelError::Item`] for a pixel that is not a number.
    pub fn about(image: Image<f32>, caption: Option<String>) -> Result<Self, ModelError> {
        check_finite(&image)?;
        Ok(VlmInput { image, caption })
    }
}

struct Question {
    client: Client,
    model: String,
    prompt: String,
    makes: ObservationKind,
    options: VlmOptions,
}

/// Stands for the revision of the weights, which is not known.
const SERVED: &str = "served";

impl ServerModel {
    /// The identity of a model behind a server.
    pub fn identity(model: &str) -> ModelIdentity {
        ModelIdentity {
            id: model.to_owned(),
            revision: SERVED.to_owned(),
            sha256: String::new(),
            stand_in: false,
        }
    }

    /// Is the model behind a server?
    pub fn is_served(model: &ModelIdentity) -> bool {
        model.revision == SERVED && model.sha256.is_empty()
    }

    /// Prepares a model without sending a request. `makes` is the kind of answers.
    ///
    /// # Errors
    /// An invalid address.
    pub fn of(
        server: &VlmServer,
        model: &str,
        (makes, prompt): (ObservationKind, &Prompt),
        options: &VlmOptions,
    ) -> Result<Self, ModelError> {
        let question = Question {
            client: Client::of(server)?,
            model: model.to_owned(),
            prompt: prompt.text.clone(),
            makes,
            options: options.clone(),
        };
        Ok(ServerModel {
            question: Arc::new(question),
            parallel: server.parallel.get(),
        })
    }

    /// Asks about each image and hands over each answer as it arrives, in any order. If an answer cannot be read, the
    /// request is repeated once with the next seed, and the second answer is handed over in any case. An error of
    /// `done` ends the call.
    ///
    /// # Errors
    /// A server that is unreachable or refuses every request; errors of `done`. A single image without an answer is
    /// passed to `done` as an error.
    pub fn ask_each<E: From<ModelError>>(
        &self,
        images: Vec<VlmInput>,
        mut done: impl FnMut(usize, Result<Answer, ModelError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let n_images = images.len();
        let (images, next) = (Arc::new(images), Arc::new(AtomicUsize::new(0)));
        let is_over = Over(Arc::new(AtomicBool::new(false)));
        let (sender, answers) = channel();
        // The threads are not joined if the call ends early, since an answer may take minutes.
        for _ in 0..self.parallel.min(n_images) {
            let (question, images, next) = (Arc::clone(&self.question), Arc::clone(&images), Arc::clone(&next));
            let (is_over, sender) = (Arc::clone(&is_over.0), sender.clone());
            thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let item = next.fetch_add(1, Ordering::Relaxed);
                    let Some(image) = images.get(item) else {
                        return;
                    };
                    let answer = question.ask(image);
                    if matches!(answer, Err(NoAnswer::Server(_))) {
                        is_over.store(true, Ordering::Relaxed);
                    }
                    if sender.send((item, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for _ in 0..n_images {
            let (item, answer) = loop {
                stop_if_asked();
                match answers.recv_timeout(LOOK_UP) {
                    Ok(answer) => break answer,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        let server = &self.question.model;
                        return Err(
                            ModelError::other(format_args!("{server}: the threads that ask it have gone")).into()
                        );
                    }
                }
            };
            match answer {
                Ok(answer) => done(item, Ok(answer))?,
                Err(NoAnswer::Item(reason)) => done(item, Err(ModelError::Item(reason)))?,
                Err(NoAnswer::Server(error)) => {
                    is_over.0.store(true, Ordering::Relaxed);
                    // Other threads may have received answers meanwhile. Hand these over, so that they are not
                    // requested again.
                    for (item, answer) in answers.try_iter() {
                        if let Ok(answer) = answer {
                            done(item, Ok(answer))?;
                        }
                    }
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }
}

/// Tells the threads to stop, however the call ends.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Question {
    fn ask(&self, about: &VlmInput) -> Result<Answer, NoAnswer> {
        let png = png_bytes(&about.image).map_err(|error| NoAnswer::Item(error.to_string()))?;
        let png = BASE64_STANDARD.encode(&png);
        let prompt = match &about.caption {
            Some(caption) => self.prompt.replace(CAPTION, caption),
            None => self.prompt.clone(),
        };
        let asked = (self.model.as_str(), prompt.as_str(), png.as_str());
        let first = self.client.ask(asked, &self.options, 0)?;
        let has_none = first.beginnings.as_ref().is_none_or(Vec::is_empty);
        let is_silent = first.text.trim().is_empty();
        if BuiltInPrompt::is_yes_or_no(self.makes) && has_none && !is_silent {
            let why = "its answers have no log-probabilities (choices[0].logprobs.content[0].top_logprobs), which VQA scores are made \
                       of; vLLM, llama.cpp's server and OpenAI give them, `transformers serve` does not";
            return Err(NoAnswer::Server(self.client.error(why.to_owned())));
        }
        match ParsedAnswer::of(self.makes, &first) {
            Ok(_) => Ok(first),
            Err(_) => self.client.ask(asked, &self.options, 1),
        }
    }
}
