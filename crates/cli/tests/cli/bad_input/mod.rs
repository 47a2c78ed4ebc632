//! Refused inputs and their messages, and the documentation of the command line.

mod captions;
mod catalogue;
mod command_line;
mod exit_codes;
#[cfg(target_os = "linux")]
mod file_systems;
mod help;
mod hostile;
mod images;
mod names;
mod observations;
mod sizes;
#[cfg(unix)]
mod special_files;
mod unreadable;
mod weights;
mod written;
mod written_python;
