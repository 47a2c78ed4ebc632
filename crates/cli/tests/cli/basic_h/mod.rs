//! BASIC-H: `neurogauge score` with scene graphs, and graphs parsed from captions.

mod appendix_d3;
mod dimensions;
mod lacking;
mod noun_filter;
mod parsed_captions;
mod parsed_runs;
mod parser;
mod parser_refused;
mod scores;
mod subcaptions;
