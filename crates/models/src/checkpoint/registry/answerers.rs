//! Models that answer questions about pictures.

use super::{Architecture, ModelEntry, ModelFile, Source};

/// The weights are in five files; the index maps tensors to files.
const FILES_OF_7B: &[ModelFile] = &[
    ModelFile::pinned("config.json", 1_374, "77d9ec7321cc572e3579e2c84799c9cadaded63c49ce93b101733349fc330c43"),
    ModelFile::pinned(
        "generation_config.json",
        216,
        "0a3aea82869fe29f20dc95ccf3e2bcff380eca1f5ad6447a4a4b37110b08e43e",
    ),
    ModelFile::pinned(
        "preprocessor_config.json",
        350,
        "f2058c716eef96ccaed1cc1e2d0c08306b62586d535b28d9d08e691b2fab7ca0",
    ),
    ModelFile::pinned("tokenizer.json", 7_031_645, "c0382117ea329cdf097041132f6d735924b697924d6f6fc3945713e96ce87539"),
    ModelFile::pinned(
        "model-00001-of-00005.safetensors",
        3_900_233_256,
        "e97b877e47fde53a6c6e77aafb36e58e91ee9d95c4a3eeac6f1b5c0e6a1c986e",
    ),
    ModelFile::pinned(
        "model-00002-of-00005.safetensors",
        3_864_726_320,
        "a9a300a43b4724eee2abe7c18ceb26768d0ab011eb0cad19d9bfd2476a24d024",
    ),
    ModelFile::pinned(
        "model-00003-of-00005.safetensors",
        3_864_726_424,
        "111223d173e00bbee81cba1216fad28668df3476706b7fd26f4d5b50f8b3a507",
    ),
    ModelFile::pinned(
        "model-00004-of-00005.safetensors",
        3_864_733_680,
        "ef47f634fa57d46ee134edcc09f34085a47da1e16c12a2abe0d67118be6d72ed",
    ),
    ModelFile::pinned(
        "model-00005-of-00005.safetensors",
        1_089_994_880,
        "0c859795ad3a627a9b95bcb762e059d5b768a4a36fdd4affeff269d93fdecc67",
    ),
    ModelFile::pinned(
        "model.safetensors.index.json",
        57_619,
        "73b333b0b16e5286ddba615d2caebcd495cf7e616f52eb217a81781393d79de9",
    ),
];

/// No hash of these files is known here.
const FILES_OF_3B: &[ModelFile] = &[
    ModelFile::without_hash("config.json"),
    ModelFile::without_hash("generation_config.json"),
    ModelFile::without_hash("preprocessor_config.json"),
    ModelFile::without_hash("tokenizer.json"),
    ModelFile::without_hash("model-00001-of-00002.safetensors").of_values(3_754_622_976 / 2, 2),
    ModelFile::without_hash("model-00002-of-00002.safetensors").of_values(3_754_622_976 / 2, 2),
    ModelFile::without_hash("model.safetensors.index.json"),
];

const QWEN2_5_VL_7B: ModelEntry = ModelEntry {
    id: "qwen2.5-vl-7b",
    architecture: Architecture::Qwen25Vl,
    source: Source::Hub("Qwen/Qwen2.5-VL-7B-Instruct"),
    revision: "cc594898137f460bfe9f0759e9844b3ce807cfb5",
    files: FILES_OF_7B,
    licence: "Apache-2.0",
    terms: None,
    citation: "Bai et al. (2025), Qwen2.5-VL Technical Report, arXiv:2502.13923",
    purpose: "lists what an image holds, as in SEED; needs 18 GiB of memory",
};

pub(super) const MODELS: &[ModelEntry] = &[
    QWEN2_5_VL_7B,
    ModelEntry {
        id: "qwen2.5-vl-3b",
        source: Source::Hub("Qwen/Qwen2.5-VL-3B-Instruct"),
        revision: "66285546d2b821cf421d4f5eb2576359d3770cd3",
        files: FILES_OF_3B,
        licence: "LicenseRef-Qwen-Research",
        terms: Some("the Qwen Research License permits research only"),
        purpose: "a smaller one; needs 9 GiB of memory",
        ..QWEN2_5_VL_7B
    },
];
