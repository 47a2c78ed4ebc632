//! Small scenes whose objects and captions are known exactly, and degraded versions as from a decoder.
//!
//! The demo, the tests and the documentation need stimuli that anybody may copy and whose content is known. [`scenes`]
//! invents them, [`draw`] draws them, [`detections`] and [`Scene::caption`] describe their content, [`degrade`] changes
//! their content like a reconstruction (an object lost, replaced by another of its kind, moved, or recoloured) and
//! [`blur_and_noise`] their pixels. Everything depends only on the seed, and uses no function whose last bit differs
//! between platforms.

mod backdrop;
mod canvas;
mod caption;
mod chance;
mod degrade;
mod detect;
mod draw;
mod kind;
mod layout;
mod recovery;
mod run;
mod scene;
mod shapes;
mod stage;

pub use degrade::{blur_and_noise, degrade};
pub use detect::detections;
pub use draw::draw;
pub use kind::{Colour, Kind};
pub use layout::scenes;
pub use run::{Demo, Shown, run};
pub use scene::{Background, Scene, SceneObject};
