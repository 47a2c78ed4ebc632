//! Refused inputs and their messages, and the documentation of the command line.

mod captions;
mod catalogue;
mod command_line;
mod help;
mod hostile;
mod images;
mod observations;
#[cfg(unix)]
mod special_files;
mod weights;
mod written;
