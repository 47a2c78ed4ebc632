//! When the frames of a clip are shown.

use std::collections::HashMap;

/// How long frames are shown, in microseconds, by stem. If one frame of a clip is missing here, all its frames count as
/// equally long.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameTimes(HashMap<String, u32>);

impl FromIterator<(String, u32)> for FrameTimes {
    fn from_iter<I: IntoIterator<Item = (String, u32)>>(times: I) -> Self {
        FrameTimes(times.into_iter().collect())
    }
}

impl FrameTimes {
    /// How long this frame is shown, in microseconds.
    pub fn of(&self, stem: &str) -> Option<u32> {
        self.0.get(stem).copied()
    }
}

/// A moment of a clip: how much of the clip's time is over, as numerator and denominator.
pub(super) type Moment = (u128, u128);

/// The middle of step `place` of `n` equal steps.
pub(super) fn of_step(place: usize, n: usize) -> Moment {
    (2 * place as u128 + 1, 2 * n as u128)
}

/// The end of each frame of a clip.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    /// From the start of the clip, in microseconds; in frames if they are shown equally long.
    ends: Vec<u64>,
    is_timed: bool,
}

impl Clock {
    /// A clock for frames that are shown this long.
    pub(super) fn of(times: &[Option<u32>]) -> Self {
        let timed: Option<Vec<u32>> = times.iter().copied().collect();
        let timed = timed.filter(|times| !times.contains(&0));
        let is_timed = timed.is_some();
        let mut end = 0;
        let ends = timed.unwrap_or_else(|| vec![1; times.len()]);
        let ends = ends.into_iter().map(|time| {
            end += u64::from(time);
            end
        });
        Clock {
            ends: ends.collect(),
            is_timed,
        }
    }

    pub(super) fn n_frames(&self) -> usize {
        self.ends.len()
    }

    fn whole(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// How long the clip lasts, in microseconds, if known.
    pub(super) fn lasts(&self) -> Option<u64> {
        self.is_timed.then(|| self.whole())
    }

    /// The middle of a frame's time.
    pub(super) fn middle_of(&self, frame: usize) -> Moment {
        let start = frame.checked_sub(1).map_or(0, |before| self.ends[before]);
        let middle = u128::from(start) + u128::from(self.ends[frame]);
        (middle, 2 * u128::from(self.whole()))
    }

    pub(super) fn shown_at(&self, (over, of): Moment) -> usize {
        let now = over * u128::from(self.whole());
        self.ends.partition_point(|end| of * u128::from(*end) <= now)
    }
}
