//! Properties of every metric of the registry, and files generated from it.

mod conventions;
mod invariances;
mod reasons;
mod texts;
mod written;
mod written_modules;
mod written_python;
