//! The probability of yes in a model's answer.

use super::{Answer, Beginning, VlmOptions};

/// The probabilities that an answer begins with yes and with no (convention `vqa-score`).
///
/// Tokens are compared without blanks at their ends and without regard to case, and the probabilities of one word's
/// spellings are added: `P(yes) = Σ exp(logprob)` over the listed tokens that spell it. Unlisted tokens count as 0;
/// servers are asked to list 20 tokens, so an unlisted one has less than 1/20. A model in this process lists every
/// spelling in its vocabulary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YesNo {
    /// Probability of "yes", 0 to 1.
    pub yes: f64,
    /// Probability of "no", 0 to 1.
    pub no: f64,
}

impl YesNo {
    /// Number of probabilities that a request asks for: the protocol's maximum.
    const LISTED: u64 = 20;

    /// A request for probabilities; fields that the user set are kept.
    pub fn asking(options: &VlmOptions) -> VlmOptions {
        let mut asking = options.clone();
        asking.max_tokens = asking.max_tokens.min(Beginning::TOKENS);
        let fields = &mut asking.fields;
        fields.entry("logprobs").or_insert(true.into());
        let listed = fields.entry("top_logprobs");
        listed.or_insert(YesNo::LISTED.into());
        asking
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// As in [`YesNo::among`].
    pub fn of(answer: &Answer) -> Result<Self, String> {
        YesNo::among(answer.beginnings.as_deref().unwrap_or_default())
    }

    /// Reads the likeliest beginnings of an answer.
    ///
    /// # Errors
    /// No probabilities, an invalid one, or neither word among the listed ones.
    ///
    /// ```
    /// use neurogauge_models::vlm::{Beginning, YesNo};
    /// let token = |token: &str, p: f64| Beginning { token: token.to_owned(), logprob: p.ln() };
    /// let read = YesNo::among(&[token("Yes", 0.5), token(" yes", 0.25), token("No", 0.125)])?;
    /// assert!((read.yes - 0.75).abs() < 1e-12 && (read.no - 0.125).abs() < 1e-12);
    /// # Ok::<(), String>(())
    /// ```
    pub fn among(beginnings: &[Beginning]) -> Result<Self, String> {
        if beginnings.is_empty() {
            return Err("the answer has no log-probabilities".to_owned());
        }
        // Rounding on the server may make a logarithm slightly positive.
        let is_none = |one: &&Beginning| one.logprob.is_nan() || one.logprob > 1e-3;
        if let Some(one) = beginnings.iter().find(is_none) {
            let (token, logprob) = (&one.token, one.logprob);
            return Err(format!("the token {token:?} has a log-probability of {logprob}; expected 0 or less"));
        }
        let of = |word: &str| -> Option<f64> {
            let spelt = beginnings.iter().filter(|one| Beginning::spells(&one.token, word));
            let spelt: Vec<f64> = spelt.map(|one| one.logprob.exp()).collect();
            let all: f64 = spelt.iter().sum();
            (!spelt.is_empty()).then(|| all.min(1.0))
        };
        match (of("yes"), of("no")) {
            (None, None) => {
                let first: Vec<&str> = beginnings.iter().take(3).map(|one| one.token.as_str()).collect();
                Err(format!(
                    "neither yes nor no is among the likely beginnings of the answer, which are {first:?} and others"
                ))
            }
            (yes, no) => Ok(YesNo {
                yes: yes.unwrap_or(0.0),
                no: no.unwrap_or(0.0),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vlm::Beginning;

    fn among(beginnings: &[(&str, f64)]) -> Result<YesNo, String> {
        let beginnings = beginnings.iter().map(|(token, logprob)| Beginning {
            token: (*token).to_owned(),
            logprob: *logprob,
        });
        YesNo::among(&beginnings.collect::<Vec<_>>())
    }

    #[test]
    fn spellings_are_added_and_an_unlisted_word_counts_zero() {
        let half = 0.5_f64.ln();
        let read = among(&[("YES", half), ("Yes,", -9.0)]).unwrap();
        assert_eq!((read.yes, read.no), (0.5, 0.0));
        // Servers round: probabilities that add up to slightly more than one are clamped.
        let read = among(&[("no", 0.0), (" No", -3.0)]).unwrap();
        assert_eq!((read.yes, read.no), (0.0, 1.0));
    }

    #[test]
    fn what_says_neither_has_no_value() {
        for (beginnings, part) in [
            (&[][..], "no log-probabilities"),
            (&[("Well", -0.1)], "neither yes nor no"),
            (&[("yes", 2.0)], "expected 0 or less"),
            (&[("yes", f64::NAN)], "expected 0 or less"),
        ] {
            let reason = among(beginnings).unwrap_err();
            assert!(reason.contains(part), "{reason}");
        }
    }

    #[test]
    fn a_request_asks_for_probabilities_and_keeps_what_was_chosen() {
        let asking = YesNo::asking(&VlmOptions::default());
        assert_eq!(asking.fields["logprobs"], true);
        assert_eq!(asking.fields["top_logprobs"], 20);
        assert_eq!(asking.max_tokens, 4);
        let mut chosen = VlmOptions::default();
        chosen.fields.insert("top_logprobs".into(), 5.into());
        assert_eq!(YesNo::asking(&chosen).fields["top_logprobs"], 5);
    }
}
