//! What is refused, and with which words; and what the documentation says of the command line.

mod captions;
mod catalogue;
mod command_line;
mod help;
mod hostile;
mod images;
mod observations;
mod weights;
mod written;
