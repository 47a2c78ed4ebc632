//! BASIC-H: `neurogauge score` on scene graphs, and the graphs that captions give.

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
