//! Properties of every metric of the registry, and the files written from it.

mod conventions;
mod invariances;
mod reasons;
mod written;
mod written_modules;
mod written_python;
