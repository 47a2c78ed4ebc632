//! Files of masks and of categories: round trips, and hostile ones.

mod categorisations;
mod coco;
mod hostile;
mod label_maps;
mod of_objects;
