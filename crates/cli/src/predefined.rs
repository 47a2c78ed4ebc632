//! What was given, in the place of defaults.

/// Replaces a default by what was given.
pub(crate) fn set<T>(target: &mut T, given: Option<impl Into<T>>) {
    if let Some(value) = given {
        *target = value.into();
    }
}
