//! The metric of the toy kind and its line in a registry.

use neurogauge_core::{Direction, Explained, Group, MetricSpec, ObservationKind};
use neurogauge_metrics::{Compute, Metric, MetricError, Options, PairFunction};

pub(crate) static METRIC: Metric = Metric {
    spec: MetricSpec {
        id: "toy_closeness",
        label: "Closeness",
        about: "1 less the difference of brightness",
        group: Group::Own,
        direction: Direction::Higher,
        range: (0.0, 1.0),
        chance: None,
        conventions: "",
        decimals: 3,
        on_request: true,
    },
    compute: Compute::Items(ObservationKind::Custom, &(closeness as PairFunction<f64>)),
};

fn closeness(gt: &f64, recon: &f64, _options: &Options) -> Result<Explained, MetricError> {
    Ok(Ok(1.0 - (gt - recon).abs()).into())
}
