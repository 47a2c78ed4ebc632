//! A strip of expanded rows.

use crate::blocks::convolution::Convolution;
use std::ops::Range;

/// The expanded rows of an image that are in memory.
pub(super) struct Strip<'a> {
    pub(super) expand: Option<&'a Convolution>,
    pub(super) image: &'a [f32],
    /// Number of values in a row of the image, and in an expanded row.
    pub(super) line_in: usize,
    pub(super) line: usize,
    pub(super) rows: Range<usize>,
    pub(super) values: &'a mut Vec<f32>,
}

impl Strip<'_> {
    /// Makes these rows available; they must not begin above the previous ones. Returns the first available row, and
    /// the values from there on.
    pub(super) fn move_to(&mut self, rows: Range<usize>) -> (usize, &[f32]) {
        let Some(expand) = self.expand else {
            return (0, self.image);
        };
        let old = self.rows.clone();
        let kept = rows.start.min(old.end)..old.end;
        let from = (kept.start - old.start) * self.line;
        self.values.copy_within(from..from + kept.len() * self.line, 0);
        let fresh = rows.start.max(old.end)..rows.end;
        let n_values = rows.len() * self.line;
        if self.values.len() < n_values {
            self.values.resize(n_values, 0.0);
        }
        let x = &self.image[fresh.start * self.line_in..fresh.end * self.line_in];
        let out = &mut self.values[(fresh.start - rows.start) * self.line..n_values];
        expand.points(x, None, out);
        self.rows = rows;
        (self.rows.start, self.values)
    }
}
