//! DreamSim of embeddings against the Python package (`reference/dreamsim.py`).

use super::image_pairs::golden_object;
use neurogauge_core::{Side, Undefined};
use neurogauge_metrics::MetricError;
use neurogauge_metrics::decoding::dreamsim::dreamsim;
