//! Asks people how well reconstructions match what was seen.
//!
//! [`make()`] writes questionnaires, a [`Collector`] receives the answers that their pages send, [`read()`] turns them
//! into ratings for [`neurogauge_meta`], and [`power()`] predicts the width of intervals for a number of pairs and
//! raters.

#![deny(clippy::disallowed_methods)]

mod collect;
mod make;
mod participation;
mod plan;
mod power;
mod questions;
mod read;

pub use collect::{CollectRequest, Collector};
pub use make::record::SurveyRecord;
pub use make::{ClipOptions, MakeRequest, MturkRequest, PictureFormat, SurveyRun, SystemImages, make};
pub use participation::{
    AnswerKind, Completion, CompletionCode, Consent, Demographics, ParticipationRequest, PersonalQuestion, Submission,
    When,
};
pub use plan::{Kind, PlanOptions, PlannedPage, Shown, Task, Trial};
pub use power::{PowerLine, PowerRecord, PowerRequest, StatisticWidth, power};
pub use questions::{Question, Questions};

/// Upper limits of options.
const MAX_PAIRS: usize = 100_000;
const MAX_RATERS: usize = 1000;
pub use read::{ConsistencyLine, FailedCheck, RaterLine, RaterRepeats, ReadRecord, ReadRequest, ReadRun, read};
