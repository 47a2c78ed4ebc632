//! Asks people how well reconstructions match what was seen.
//!
//! [`make()`] writes questionnaires, [`read()`] turns the answers into ratings that
//! [`neurogauge::meta`] takes, and [`power()`] says how wide intervals will be with so many pairs and raters.

mod make;
mod plan;
mod power;
mod questions;
mod read;
mod record;

pub use make::{MakeRequest, MturkRequest, PictureFormat, SurveyRun, SystemImages, make};
pub use plan::{Kind, PlanOptions, PlannedPage, Shown, Task, Trial};
pub use power::{PowerLine, PowerRecord, PowerRequest, PowerRun, StatisticWidth, power};
pub use questions::{Question, Questions};
pub use read::{
    ConsistencyLine, FailedCheck, RaterLine, RaterRepeats, ReadRecord, ReadRequest, ReadRun, read,
};
pub use record::SurveyRecord;
