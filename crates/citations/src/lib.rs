//! What to cite for finished runs: this program, the papers of the metrics and models that they used, and of data sets that
//! their records name.

mod cite;

pub use cite::{Reference, cite, cite_records, result_record};
