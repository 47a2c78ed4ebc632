//! BASIC-H against CAPTURE's own code (`reference/capture.py`), and at its edges.

#![allow(clippy::unwrap_used, clippy::panic)]

mod by_hand;
mod capture;
mod invariances;
