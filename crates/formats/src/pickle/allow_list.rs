//! The names that a pickle may mention.

/// Modules and names that construct NumPy arrays, torch tensors and ordered dicts.
const HARMLESS: &[(&str, &str)] = &[
    ("_codecs", "encode"),
    ("collections", "OrderedDict"),
    ("numpy", "dtype ndarray"),
    ("numpy._core.multiarray", "_reconstruct scalar"),
    // The same names in NumPy 1.
    ("numpy.core.multiarray", "_reconstruct scalar"),
    (
        "torch",
        "BFloat16Storage BoolStorage ByteStorage CharStorage DoubleStorage FloatStorage HalfStorage IntStorage \
         LongStorage ShortStorage device",
    ),
    ("torch._utils", "_rebuild_parameter _rebuild_tensor _rebuild_tensor_v2"),
];

/// Additional names in TorchScript archives: their own classes, whose code is in the archive and never read, and the
/// constructors of typed lists.
const TORCHSCRIPT_CLASSES: &str = "__torch__";
const TORCHSCRIPT_LISTS: (&str, &str) = (
    "torch.jit._pickle",
    "build_boollist build_doublelist build_intlist build_tensor_from_id build_tensorlist restore_type_tag",
);

/// The set of names that a pickle may mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AllowedNames {
    Data,
    /// Names of data, and of the modules of a TorchScript archive.
    TorchScript,
}

impl AllowedNames {
    pub(super) fn allow(self, module: &str, name: &str) -> bool {
        let is_of_data =
            HARMLESS.iter().any(|(known, names)| *known == module && names.split(' ').any(|own| own == name));
        let (lists, of_lists) = TORCHSCRIPT_LISTS;
        is_of_data
            || self == AllowedNames::TorchScript
                && (is_torchscript_class(module) || module == lists && of_lists.split(' ').any(|own| own == name))
    }
}

/// Is it a module of the archive's code?
pub(crate) fn is_torchscript_class(module: &str) -> bool {
    module
        .strip_prefix(TORCHSCRIPT_CLASSES)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
