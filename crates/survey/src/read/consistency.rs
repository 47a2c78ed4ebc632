//! Do raters give the same answer when they see a pair again?

use super::Answer;
use super::rater::Rater;
use crate::make::record::SurveyRecord;
use crate::questions::Questions;
use neurogauge::Error;
use neurogauge::stats::{Icc, IccConvention, IccForm, Ratings, intraclass_correlations, mean};
use serde::Serialize;

const LEVEL: f64 = 0.95;

/// One rater's answers to repeated pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RaterRepeats {
    pub question: String,
    /// Number of repeated pairs; if a pair was shown several times, the first two answers are compared.
    pub n: usize,
    /// Mean distance of the two answers, in points.
    pub mean_difference: Option<f64>,
}

/// The answers of all valid raters to repeated pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsistencyLine {
    pub question: String,
    /// Number of repeated pairs, over all raters.
    pub n: usize,
    /// Share of these with the same answer twice.
    pub same: Option<f64>,
    /// Share of these with answers at most one point apart.
    pub within_one: Option<f64>,
    /// Mean distance of the two answers, in points.
    pub mean_difference: Option<f64>,
    /// ICC(1,1) of the two answers over the pairs, with its interval.
    pub icc: Option<f64>,
    /// The 95% interval.
    pub icc_interval: Option<(f64, f64)>,
}

/// First and second answer to repeated pairs.
fn twice(pairs: &[Vec<&Answer<'_>>], question: usize) -> Vec<[u32; 2]> {
    let both = |answers: &Vec<&Answer<'_>>| match answers.as_slice() {
        [first, second, ..] => Some([first.ratings[question]?, second.ratings[question]?]),
        _ => None,
    };
    pairs.iter().filter_map(both).collect()
}

fn distances(both: &[[u32; 2]]) -> impl Iterator<Item = f64> + Clone {
    both.iter().map(|[first, second]| f64::from(first.abs_diff(*second)))
}

pub(super) fn of_rater(pairs: &[Vec<&Answer<'_>>], questions: &Questions) -> Vec<RaterRepeats> {
    let questions = questions.ids().into_iter().enumerate();
    questions
        .map(|(place, question)| {
            let both = twice(pairs, place);
            RaterRepeats {
                question: question.to_owned(),
                n: both.len(),
                mean_difference: mean(distances(&both)),
            }
        })
        .collect()
}

pub(super) fn lines(raters: &[&Rater<'_>], survey: &SurveyRecord) -> Result<Vec<ConsistencyLine>, Error> {
    let questions = survey.questions.ids().into_iter().enumerate();
    questions
        .map(|(place, question)| {
            let both: Vec<[u32; 2]> = raters.iter().flat_map(|rater| twice(&rater.by_pair(), place)).collect();
            let share =
                |is: &dyn Fn(f64) -> bool| mean(distances(&both).map(|distance| f64::from(u8::from(is(distance)))));
            let icc = icc(&both)?;
            Ok(ConsistencyLine {
                question: question.to_owned(),
                n: both.len(),
                same: share(&|distance| distance == 0.0),
                within_one: share(&|distance| distance <= 1.0),
                mean_difference: mean(distances(&both)),
                icc: icc.as_ref().map(|icc| icc.value),
                icc_interval: icc.and_then(|icc| icc.interval),
            })
        })
        .collect()
}

/// The correlation and its interval; `None` for fewer than two pairs or if nothing varies.
fn icc(both: &[[u32; 2]]) -> Result<Option<Icc>, Error> {
    if both.len() < 2 {
        return Ok(None);
    }
    let values = both.iter().flatten().map(|&rating| Some(f64::from(rating))).collect();
    let table = intraclass_correlations(&Ratings::new(2, values)?, LEVEL, IccConvention::default())?;
    let forms = table.into_iter().flat_map(|table| table.forms);
    Ok(forms.into_iter().find(|icc| icc.form == IccForm::OneWaySingle))
}
