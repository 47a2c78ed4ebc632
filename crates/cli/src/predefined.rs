//! Replaces defaults by given values.

/// Replaces a default by the given value.
pub(crate) fn set<T>(target: &mut T, given: Option<impl Into<T>>) {
    if let Some(value) = given {
        *target = value.into();
    }
}
