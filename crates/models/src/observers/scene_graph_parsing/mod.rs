//! Scene-graph parsing: sentences to scene graphs.
//!
//! A T5 writes a sentence's scene graph as a list of facts, `( boat , is , large ) , ( boat , dock at , dock )`.
//! [`graph_text`] reads such a text.

pub mod graph_text;
