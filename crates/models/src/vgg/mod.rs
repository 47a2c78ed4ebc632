//! VGG-16 as torchvision has it (Simonyan and Zisserman 2015), without batch normalisation.

mod model;

pub(crate) use model::Vgg16;
