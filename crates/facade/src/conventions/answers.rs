//! How models behind a server, and those that answer here, are asked.

use super::MAX_ANSWER_TOKENS;
use super::entry::Convention;
use super::value::{count, itself, number};
use crate::ScoreRequest;
use neurogauge_core::option_values::AtLeastZero;
use neurogauge_core::option_words::option;
use neurogauge_models::vlm::VlmOptions;
use std::num::NonZeroUsize;

pub(super) fn no_model() -> String {
    let place = [option("vlm", "URL"), option("vlm-model", "NAME")];
    let [server, model] = place.map(|option| option.to_string());
    format!("it says how a vision-language model is asked, and there is none; say where it is: {server} {model}")
}

/// Changes the options of all models.
fn each(request: &mut ScoreRequest, set: impl Fn(&mut VlmOptions)) -> bool {
    request.vlm.iter_mut().for_each(|choice| set(&mut choice.options));
    !request.vlm.is_empty()
}

fn first(request: &ScoreRequest) -> Option<&VlmOptions> {
    request.vlm.first().map(|choice| &choice.options)
}

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::of_fields(
            ("vlm_tokens", "chat-request"),
            "Tokens that an answer has at most",
            count::<MAX_ANSWER_TOKENS, NonZeroUsize>("N"),
            |request, n| {
                let most = u32::try_from(n.get()).unwrap_or(u32::MAX);
                each(request, |options| options.max_tokens = most)
            },
            |request| NonZeroUsize::new(first(request)?.max_tokens as usize),
        ),
        Convention::of_fields(
            ("vlm_temperature", "chat-request"),
            "Temperature of the answers",
            number::<AtLeastZero>("T"),
            |request, temperature| each(request, |options| options.temperature = temperature),
            |request| Some(first(request)?.temperature),
        ),
        Convention::of_fields(
            ("vlm_seed", "chat-request"),
            "Seed of the server's sampling",
            itself::<u64>("SEED"),
            |request, seed| each(request, |options| options.seed = seed),
            |request| Some(first(request)?.seed),
        ),
    ]
}
