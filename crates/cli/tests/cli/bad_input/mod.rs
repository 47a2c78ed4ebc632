//! What is refused, and with which words; and what the documentation says of the command line.

mod captions;
mod command_line;
mod help;
mod images;
mod observations;
mod weights;
mod written;
