//! What is written of estimates: tables in every format, and figures.

mod figures;
mod tables;
