//! Small scenes whose objects and captions are known exactly, and versions degraded as by a decoder.
//!
//! The demo, the tests and the documentation need stimuli with known content that anybody may copy. [`stimuli`] are
//! drawn pictures, whose objects and captions are in `scenes/`. In [`reconstructions`] some of the objects are lost,
//! replaced, moved or recoloured. [`detections`] are the results of a perfect detector, and [`blur_and_noise`] changes
//! the pixels. Nothing depends on the platform.

mod blur;
mod detect;
mod recovery;
mod run;
mod scene;

pub use blur::blur_and_noise;
pub use detect::detections;
pub use run::{Demo, Shown, run};
pub use scene::{Scene, SceneObject, read, reconstructions, stimuli};
