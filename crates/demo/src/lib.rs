//! Small scenes whose objects and captions are known exactly, and what a decoder might make of them.
//!
//! The demo, the tests and the documentation need stimuli that anybody may copy and whose content
//! nobody has to guess. [`scenes`] invents them, [`draw`] makes them visible, [`detections`] and
//! [`Scene::caption`] say what is in them, [`degrade`] changes their content as a reconstruction
//! does (an object lost, another of its kind in its place, elsewhere, in another colour) and
//! [`blur_and_noise`] their pixels. Everything depends on the seed and on nothing else, and uses no
//! function whose last bit differs between platforms.

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
