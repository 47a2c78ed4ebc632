//! `neurogauge perceive`, and `neurogauge score` with the same models.

mod blip2;
mod captioned_runs;
mod captions;
mod clips;
mod detected_runs;
mod detections;
mod features;
mod kept_features;
mod masks;
mod observers;
mod shared_store;
