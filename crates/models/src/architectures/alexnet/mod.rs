//! AlexNet as torchvision has it ("One weird trick", Krizhevsky 2014).

mod model;

pub(crate) use model::AlexNet;
