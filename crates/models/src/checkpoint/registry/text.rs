//! Encoders of texts.

use super::{Architecture, ModelEntry, ModelFile, Source};

pub(super) const MODELS: &[ModelEntry] = &[
    ModelEntry {
        id: "all-MiniLM-L6-v2",
        architecture: Architecture::MiniLm,
        source: Source::Hub("sentence-transformers/all-MiniLM-L6-v2"),
        revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        files: &[
            ModelFile::pinned("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
            ModelFile::pinned(
                "sentence_bert_config.json",
                53,
                "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
            ),
            ModelFile::pinned(
                "tokenizer.json",
                466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            ),
            ModelFile::pinned(
                "model.safetensors",
                90_868_376,
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
        ],
        licence: "Apache-2.0",
        terms: None,
        citation: "Reimers and Gurevych (2019), Sentence-BERT: Sentence Embeddings using Siamese \
               BERT-Networks, EMNLP-IJCNLP; Wang et al. (2020), MiniLM: Deep Self-Attention \
               Distillation for Task-Agnostic Compression of Pre-Trained Transformers, NeurIPS",
        purpose: "text encoder of Cap-Sim: captions to 384 numbers",
    },
    ModelEntry {
        id: "all-mpnet-base-v2",
        architecture: Architecture::MpNet,
        source: Source::Hub("sentence-transformers/all-mpnet-base-v2"),
        revision: "e8c3b32edf5434bc2275fc9bab85f82640a19130",
        files: &[
            ModelFile::without_hash("config.json"),
            ModelFile::without_hash("sentence_bert_config.json"),
            ModelFile::without_hash("tokenizer.json"),
            ModelFile::pinned(
                "model.safetensors",
                437_971_872,
                "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
            ),
        ],
        licence: "Apache-2.0",
        terms: None,
        citation: "Reimers and Gurevych (2019), Sentence-BERT: Sentence Embeddings using Siamese \
               BERT-Networks, EMNLP-IJCNLP; Song et al. (2020), MPNet: Masked and Permuted Pre-training \
               for Language Understanding, NeurIPS",
        purpose: "encoder of phrases in BASIC-H (and of captions): texts to 768 numbers",
    },
    ModelEntry {
        id: "Qwen3-Embedding-0.6B",
        architecture: Architecture::Qwen3Embedding,
        source: Source::Hub("Qwen/Qwen3-Embedding-0.6B"),
        revision: "97b0c614be4d77ee51c0cef4e5f07c00f9eb65b3",
        files: &[
            ModelFile::without_hash("config.json"),
            ModelFile::without_hash("tokenizer.json"),
            ModelFile::pinned(
                "model.safetensors",
                1_191_586_416,
                "0437e45c94563b09e13cb7a64478fc406947a93cb34a7e05870fc8dcd48e23fd",
            ),
        ],
        licence: "Apache-2.0",
        terms: None,
        citation: "Zhang et al. (2025), Qwen3 Embedding: Advancing Text Embedding and Reranking Through \
               Foundation Models, arXiv:2506.05176",
        purpose: "another encoder of captions and phrases, as in SEED's robustness study: texts to 1024 numbers",
    },
    ModelEntry {
        id: "clip_vit_b_32_text",
        architecture: Architecture::ClipText,
        source: Source::Hub("openai/clip-vit-base-patch32"),
        revision: "main",
        files: &[
            ModelFile::without_hash("tokenizer.json"),
            ModelFile::without_hash("pytorch_model.bin").of_values(151_277_313, 4),
        ],
        licence: "MIT",
        terms: None,
        citation: "Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision, ICML",
        purpose: "captions in CLIP-S and RefCLIP-S: texts to 512 numbers",
    },
];
