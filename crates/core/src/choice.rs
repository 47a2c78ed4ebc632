//! People's choices between two items.

/// Which of two items a person preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preference {
    First,
    Second,
    /// Neither of them.
    Tie,
}

impl Preference {
    /// What a choice counts for its first item: 1, 0, or one half if neither was preferred.
    ///
    /// ```
    /// use neurogauge_core::Preference;
    /// assert_eq!([Preference::First, Preference::Second, Preference::Tie].map(Preference::of_first), [1.0, 0.0, 0.5]);
    /// ```
    pub fn of_first(self) -> f64 {
        match self {
            Preference::First => 1.0,
            Preference::Second => 0.0,
            Preference::Tie => 0.5,
        }
    }

    /// The preference with the items in the other order.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Preference::First => Preference::Second,
            Preference::Second => Preference::First,
            Preference::Tie => Preference::Tie,
        }
    }
}

/// One person's choice between two items; items and raters by their positions in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    pub first: usize,
    pub second: usize,
    pub rater: usize,
    pub preferred: Preference,
}
