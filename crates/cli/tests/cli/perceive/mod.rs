//! `neurogauge perceive`, and `neurogauge score` with the same models.

mod blip2;
mod captions;
mod clips;
mod detections;
mod features;
mod kept_features;
mod masks;
mod observers;
mod runs;
mod shared_store;
