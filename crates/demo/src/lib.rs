//! Small scenes whose objects and captions are known exactly, and degraded versions as from a decoder.
//!
//! The demo, the tests and the documentation need stimuli that anybody may copy and whose content is known. [`stimuli`]
//! are drawn pictures, with their objects and captions beside them in `scenes/`; [`reconstructions`] have lost, replaced,
//! moved or recoloured some of the objects. [`detections`] are what a perfect detector finds, and [`blur_and_noise`]
//! changes the pixels. Nothing depends on the platform.

mod blur;
mod detect;
mod recovery;
mod run;
mod scene;

pub use blur::blur_and_noise;
pub use detect::detections;
pub use run::{Demo, Shown, run};
pub use scene::{Scene, SceneObject, read, reconstructions, stimuli};
