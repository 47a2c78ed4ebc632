//! The neurogauge command.

fn main() {}
