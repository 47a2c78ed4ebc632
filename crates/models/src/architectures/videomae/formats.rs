//! transformers' tensor names, and those before its version 5, which the published file has.

use crate::checkpoint::{CheckpointFormat, CheckpointFormats, Origin, Setting};

const SETTINGS: &[Setting] = &[
    Setting("hidden_act", &["\"gelu\""]),
    Setting("layer_norm_eps", &["1e-12"]),
    Setting("num_attention_heads", &["12"]),
    Setting("tubelet_size", &["2"]),
    Setting("use_mean_pooling", &["true"]),
];

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
