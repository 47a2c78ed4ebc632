//! transformers' names of the tensors, and those before its version 5, which the published file has.

use crate::checkpoint::{CheckpointFormat, CheckpointFormats, Origin, Setting};

const SETTINGS: &[Setting] = &[
    Setting {
        field: "hidden_act",
        accepted: &["\"gelu\""],
    },
    Setting {
        field: "layer_norm_eps",
        accepted: &["1e-12"],
    },
    Setting {
        field: "num_attention_heads",
        accepted: &["12"],
    },
    Setting {
        field: "tubelet_size",
        accepted: &["2"],
    },
    Setting {
        field: "use_mean_pooling",
        accepted: &["true"],
    },
];

/// Of its checkpoints.
pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "transformers",
    own_mark: Some("videomae.encoder.layer.0.attention.attention.query.bias"),
    others: &[CheckpointFormat::new(
        "transformers before 5",
        "videomae.encoder.layer.0.attention.attention.q_bias",
        |name, _| {
            let renamed = [("query.bias", "q_bias"), ("value.bias", "v_bias")];
            let found = renamed.iter().find_map(|(own, old)| Some((name.strip_suffix(own)?, old)));
            found.map(|(block, old)| Origin::Named(format!("{block}{old}")))
        },
        SETTINGS,
    )],
    own_settings: SETTINGS,
};
