//! Tables of estimates in every format, and figures.

mod figures;
mod tables;
