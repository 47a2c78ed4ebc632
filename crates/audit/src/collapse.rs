//! Whether the decoder can express what distinguishes test stimuli.

use crate::feature_set::{Draw, most_rows};
use crate::items::Items;
use crate::section::{Line, Section, percent};
use crate::subspace::Span;
use neurogauge::Error;
use neurogauge::core::{Outcome, Side, Undefined};
use neurogauge::stats::{BootstrapOptions, RowSource, pearson};

pub(crate) fn section(items: &Items, options: &BootstrapOptions) -> Result<Section, Error> {
    let n_features = items.train.n_features();
    let n = items.stems.len();
    let test = items.test_picked().in_double()?;
    let drawn = |draw: Draw, count: usize| draw.rows(&items.train, count, options.seed).in_double();
    let share = |span: &Span| -> Result<Outcome, Error> {
        Ok(span.share_of_variance(&test)?.ok_or(Undefined::Constant(Side::Gt)))
    };
    let effective = |span: &Span, side| span.effective_rank().ok_or(Undefined::Constant(side));
    let own = Span::of(&test, n_features)?;
    let mut lines = Vec::new();
    if items.has_training {
        let training = Span::of(&drawn(Draw::Span, most_rows(n_features, 0))?, n_features)?;
        lines.push(Line::exact(
            "share of the test stimuli's variance in the span of training stimuli",
            share(&training)?,
            n,
        ));
        lines.push(
            Line::exact("effective rank of training stimuli", effective(&training, Side::Gt), n)
                .beside("rank", training.rank() as f64),
        );
    }
    lines.push(
        Line::exact("effective rank of test stimuli", effective(&own, Side::Gt), n).beside("rank", own.rank() as f64),
    );
    let mut answer = String::new();
    if let Some(decoded) = items.decoded_picked() {
        let decoded = Span::of(&decoded.in_double()?, n_features)?;
        let within = share(&decoded)?;
        let expected = match items.has_training {
            true => share(&Span::of(&drawn(Draw::SpanOfAsMany, n)?, n_features)?)?,
            false => Err(Undefined::NoPairs),
        };
        let line =
            Line::exact("share of the test stimuli's variance in the span of what was decoded", within.clone(), n);
        lines.push(match &expected {
            Ok(value) => line.beside("span of as many training stimuli", *value),
            Err(_) => line,
        });
        lines.push(
            Line::exact("effective rank of what was decoded", effective(&decoded, Side::Recon), n)
                .beside("rank", decoded.rank() as f64),
        );
        let nearest = decoded.nearest_points(&test)?;
        let best: Vec<Outcome> = test
            .chunks_exact(n_features)
            .zip(nearest.chunks_exact(n_features))
            .map(|(stimulus, point)| pearson(stimulus, point))
            .collect::<Result<_, _>>()?;
        let what = "correlation of a test stimulus with the nearest point of the decoded span, mean";
        lines.push(Line::mean(what, &best, (-1.0, 1.0), options)?);
        if let (Ok(within), Some(rank), Some(own)) = (within, decoded.effective_rank(), own.effective_rank()) {
            answer = match decoded.rank() == n_features {
                true => "There are more outputs than features, so that their span holds everything".to_owned(),
                false => format!("What was decoded spans {} of the variance between test stimuli", percent(within)),
            };
            if let (Ok(expected), true) = (expected, decoded.rank() < n_features) {
                answer += &format!("; as many training stimuli span {}", percent(expected));
            }
            answer += &format!(
                ". The decoder's outputs spread over about {rank:.0} directions, the test stimuli over about {own:.0}. {}",
                match rank < own / 2.0 {
                    true =>
                        "The outputs have collapsed to fewer directions than the stimuli have: no read-out of them can express the rest.",
                    false =>
                        "These numbers show no collapse of the outputs to few directions; whether what they express is right is for the other questions.",
                }
            );
        }
    } else if let (true, Some(share)) = (items.has_training, lines[0].value()) {
        answer = format!(
            "A decoder whose outputs are combinations of training stimuli can reach {} of the variance between test stimuli.",
            percent(share)
        );
    }
    Ok(Section {
        id: "collapse",
        question: "Can the decoder express what distinguishes test stimuli?",
        lines,
        answer,
        population: "these stimuli; the correlation is for new test stimuli",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515; Otsuka et al. (output-dimension collapse); effective rank: Roy \
                    and Vetterli 2007",
    })
}
