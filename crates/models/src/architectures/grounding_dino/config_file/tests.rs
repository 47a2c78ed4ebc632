use super::*;

#[test]
fn what_a_file_leaves_out_is_as_in_transformers() {
    let config = Config::from_text(r#"{"model_type": "grounding-dino"}"#).unwrap();
    assert_eq!(config.kind, Kind::Original);
    assert_eq!(config.backbone.outputs, [1, 2, 3]);
    assert_eq!((config.width, config.n_queries, config.text.vocab_size), (256, 900, 30_522));
    let own = json!({"backbone_config": {"out_features": ["stage1", "stage4"]},
                     "text_config": {"num_hidden_layers": 3}});
    let config = Config::from_text(&own.to_string()).unwrap();
    assert_eq!(config.backbone.outputs, [0, 3]);
    assert_eq!((config.text.num_hidden_layers, config.text.hidden_size), (3, 768));
}

#[test]
fn what_would_be_computed_wrongly_is_refused_with_its_field() {
    for (config, field) in [
        (json!({"model_type": "detr"}), "model_type"),
        (json!({"two_stage": false}), "two_stage"),
        (json!({"embedding_init_target": false}), "embedding_init_target"),
        (json!({"activation_function": "gelu"}), "activation_function"),
        (json!({"position_embedding_type": "learned"}), "position_embedding_type"),
        (json!({"layer_norm_eps": 1e-6}), "layer_norm_eps"),
        (json!({"d_model": 100}), "d_model"),
        (json!({"d_model": 0}), "d_model"),
        (json!({"num_queries": 0}), "num_queries"),
        (json!({"encoder_attention_heads": 1}), "encoder_attention_heads"),
        (json!({"encoder_ffn_dim": 10}), "encoder_ffn_dim"),
        (json!({"decoder_attention_heads": 7}), "decoder_attention_heads"),
        (json!({"num_feature_levels": 2}), "num_feature_levels"),
        (json!({"text_config": {"hidden_act": "relu"}}), "hidden_act"),
        (json!({"backbone_config": {"model_type": "resnet"}}), "backbone_config.model_type"),
        (json!({"backbone_config": {"patch_size": 8}}), "backbone_config.patch_size"),
        (json!({"backbone_config": {"num_heads": [3, 6]}}), "backbone_config.num_heads"),
        (json!({"backbone_config": {"num_heads": [5, 6, 12, 24]}}), "backbone_config.num_heads"),
        (json!({"backbone_config": {"window_size": 0}}), "backbone_config.window_size"),
        (json!({"backbone_config": {"out_indices": [0, 1]}}), "backbone_config.out_indices"),
        (json!({"backbone_config": {"out_features": ["stem"]}}), "backbone_config.out_indices"),
    ] {
        let refused = Config::from_text(&config.to_string()).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("config.json: {field} is ")), "{config}: {refused}");
    }
    assert!(Config::from_text("3").unwrap_err().to_string().starts_with("config.json: "));
}
