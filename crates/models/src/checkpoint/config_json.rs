//! Reads the JSON files beside a checkpoint, and refuses configurations that are not implemented.

use crate::ModelError;
use neurogauge_formats::regular_file;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The fields of a file that are used, under the file's names.
pub(crate) trait ConfigJson: DeserializeOwned {
    /// Name of the architecture in messages.
    const ARCHITECTURE: &'static str;

    /// Refuses configurations that the implementation would compute wrongly.
    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError>;

    /// Reads the file and refuses configurations that the implementation would compute wrongly.
    fn read(path: &Path) -> Result<Self, ModelError> {
        read_json::<Self>(path)?.checked(path)
    }

    /// Parses the content of such a file.
    fn from_text(text: &str) -> Result<Self, ModelError> {
        let path = Path::new("config.json");
        let config: Self = serde_json::from_str(text).map_err(|error| ModelError::malformed(path, error))?;
        config.checked(path)
    }

    /// Checks that the configuration can be computed; `path` is its file, for messages.
    fn checked(self, path: &Path) -> Result<Self, ModelError> {
        let architecture = Self::ARCHITECTURE;
        self.check(&Refusal { path, architecture })?;
        Ok(self)
    }
}

/// Refuses a configuration that cannot be computed here.
pub(crate) struct Refusal<'a> {
    pub(crate) path: &'a Path,
    pub(crate) architecture: &'static str,
}

impl Refusal<'_> {
    /// An error that blames this field.
    pub(crate) fn of(&self, field: &'static str, found: &dyn ToString, expected: &str) -> ModelError {
        let (found, architecture) = (found.to_string(), self.architecture);
        ModelError::malformed(
            self.path,
            format_args!("{field} is {found}, and this implementation of {architecture} needs {expected}"),
        )
    }

    /// Refuses the field unless a condition holds.
    pub(crate) fn unless(
        &self,
        holds: bool,
        field: &'static str,
        found: &dyn ToString,
        expected: &str,
    ) -> Result<(), ModelError> {
        if holds {
            Ok(())
        } else {
            Err(self.of(field, found, expected))
        }
    }

    /// Refuses a field unless it has this value.
    pub(crate) fn unless_equal<T: ToString + PartialEq<U>, U: ToString + Copy>(
        &self,
        field: &'static str,
        found: &T,
        expected: U,
    ) -> Result<(), ModelError> {
        self.unless(*found == expected, field, found, &expected.to_string())
    }

    /// Refuses these fields unless all are positive.
    pub(crate) fn unless_positive(&self, fields: &[(&'static str, usize)]) -> Result<(), ModelError> {
        let zero = fields.iter().find(|(_, number)| *number == 0);
        zero.map_or(Ok(()), |(field, number)| Err(self.of(field, number, "a positive number")))
    }

    /// Refuses a number of heads that does not divide `hidden_size`.
    pub(crate) fn unless_heads_fill(
        &self,
        hidden_size: usize,
        field: &'static str,
        n_heads: usize,
    ) -> Result<(), ModelError> {
        let fill = hidden_size > 0 && n_heads > 0 && hidden_size.is_multiple_of(n_heads);
        let expected = format!("a divisor of hidden_size = {hidden_size}");
        self.unless(fill, field, &n_heads, &expected)
    }

    /// Refuses a patch that is larger than the image.
    pub(crate) fn unless_patches_fit(
        &self,
        image_px: usize,
        field: &'static str,
        patch_px: usize,
    ) -> Result<(), ModelError> {
        let fit = (1..=image_px).contains(&patch_px);
        let expected = format!("1 to image_size = {image_px}");
        self.unless(fit, field, &patch_px, &expected)
    }
}

/// The number of a field that a file may leave out.
pub(crate) fn whole<const N: usize>() -> usize {
    N
}

/// Reads a JSON file that must exist.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ModelError> {
    let bytes = regular_file::read(path).map_err(|source| ModelError::io(path, "read", source))?;
    serde_json::from_slice(&bytes).map_err(|error| ModelError::malformed(path, error))
}
