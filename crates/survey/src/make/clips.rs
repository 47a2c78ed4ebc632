//! Clips on a page: which frames are shown, and how long.

use neurogauge::core::pair::ItemPart;
use serde::{Deserialize, Serialize};

/// How long a frame is shown if neither its file nor the options say it, µs.
const FRAME: u64 = 1_000_000 / 3;

/// How clips are shown (convention `survey-clips`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClipOptions {
    /// Maximum number of frames of a clip, evenly spaced.
    pub most_frames: usize,
    /// Length of each clip in seconds; `None` takes it from the file, or a third of a second per frame.
    pub seconds: Option<f64>,
}

impl Default for ClipOptions {
    fn default() -> Self {
        ClipOptions {
            most_frames: 16,
            seconds: None,
        }
    }
}

impl ClipOptions {
    /// Indices of the frames of a part that are shown; a still that was paired with the frames of a clip has one.
    pub(super) fn places(&self, part: &ItemPart) -> Vec<usize> {
        match part.places.as_slice() {
            [first, others @ ..] if others.iter().all(|place| place == first) => vec![*first],
            places => part.evenly(self.most_frames).into_iter().map(|frame| places[frame]).collect(),
        }
    }

    /// How long each shown frame of a part is shown, ms. A frame also gets the time of its neighbours that are left
    /// out. `time` is the duration of a frame in µs, by its pair.
    pub(super) fn ms(&self, part: &ItemPart, time: impl Fn(usize) -> Option<u32>) -> Vec<u32> {
        let times: Option<Vec<u64>> =
            (part.pairs.iter()).map(|pair| time(*pair).filter(|time| *time > 0).map(u64::from)).collect();
        let times = times.unwrap_or_else(|| vec![FRAME; part.pairs.len()]);
        let (n, n_shown) = (times.len(), self.places(part).len());
        if n_shown < 2 {
            return Vec::new();
        }
        let whole: u64 = times.iter().sum();
        let scale = self.seconds.map_or(1.0, |seconds| 1e6 * seconds / whole as f64);
        let shown = (0..n_shown).map(|frame| {
            let own = times[frame * n / n_shown..(frame + 1) * n / n_shown].iter().sum::<u64>() as f64 * scale;
            (own / 1000.0).round().max(1.0) as u32
        });
        shown.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(places: &[usize]) -> ItemPart {
        ItemPart {
            name: String::new(),
            pairs: (0..places.len()).collect(),
            places: places.to_vec(),
        }
    }

    const OPTIONS: ClipOptions = ClipOptions {
        most_frames: 2,
        seconds: None,
    };

    #[test]
    fn frames_have_the_time_of_those_that_are_left_out() {
        let clip = part(&[10, 11, 12, 13, 14]);
        assert_eq!(OPTIONS.places(&clip), [11, 13]);
        // The delays are 100, 100, 200, 300 and 300 ms.
        let delays = [100_000, 100_000, 200_000, 300_000, 300_000];
        let time = |pair: usize| Some(delays[pair]);
        assert_eq!(OPTIONS.ms(&clip, time), [200, 800]);
        let all = ClipOptions {
            most_frames: 9,
            ..OPTIONS
        };
        assert_eq!(all.ms(&clip, time), [100, 100, 200, 300, 300]);
        let of_two_seconds = ClipOptions {
            seconds: Some(2.0),
            ..OPTIONS
        };
        assert_eq!(of_two_seconds.ms(&clip, time), [400, 1600]);
    }

    #[test]
    fn frames_without_a_time_are_shown_for_a_third_of_a_second() {
        let clip = part(&[10, 11, 12, 13]);
        assert_eq!(OPTIONS.ms(&clip, |_| None), [667, 667]);
        // One frame without a time is enough, since browsers would guess it.
        assert_eq!(OPTIONS.ms(&clip, |pair| (pair > 0).then_some(40_000)), [667, 667]);
    }

    #[test]
    fn a_still_does_not_move() {
        let still = part(&[4, 4, 4]);
        assert_eq!(OPTIONS.places(&still), [4]);
        assert!(OPTIONS.ms(&still, |_| Some(40_000)).is_empty());
    }
}
