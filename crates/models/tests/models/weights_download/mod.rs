//! Downloading, from a server on this machine.

mod of_the_hub;
mod of_the_web;
mod scripted;
mod troubles;
