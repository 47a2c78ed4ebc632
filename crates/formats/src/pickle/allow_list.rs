//! The names a pickle may mention.

/// Module and name of what NumPy arrays, torch tensors and ordered dicts are made with.
const HARMLESS: &[(&str, &[&str])] = &[
    ("_codecs", &["encode"]),
    ("collections", &["OrderedDict"]),
    ("numpy", &["dtype", "ndarray"]),
    ("numpy._core.multiarray", &["_reconstruct", "scalar"]),
    // What NumPy 1 calls the same.
    ("numpy.core.multiarray", &["_reconstruct", "scalar"]),
    (
        "torch",
        &[
            "BFloat16Storage",
            "BoolStorage",
            "ByteStorage",
            "CharStorage",
            "DoubleStorage",
            "FloatStorage",
            "HalfStorage",
            "IntStorage",
            "LongStorage",
            "ShortStorage",
        ],
    ),
    ("torch._utils", &["_rebuild_tensor_v2"]),
];

pub(super) fn is_harmless(module: &str, name: &str) -> bool {
    HARMLESS
        .iter()
        .any(|(known, names)| *known == module && names.contains(&name))
}
