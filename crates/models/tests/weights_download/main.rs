//! Downloading, from a server on this machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod of_the_hub;
mod of_the_web;
mod scripted;
mod server;
#[path = "../toy_model/mod.rs"]
mod toy_model;
mod troubles;
