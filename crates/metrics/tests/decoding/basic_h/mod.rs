//! BASIC-H against CAPTURE's own code (`reference/basic_h.py`), against the paper's tables, and in edge cases.

mod by_hand;
mod capture;
mod dimensions;
mod invariances;
mod paper_tables;
mod subcaptions;
