//! Which frames of two clips are compared.

use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// Which frames of a stimulus and a reconstruction are compared (convention `frames`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, SerializeDisplay, DeserializeFromStr)]
pub enum FrameMatch {
    /// Each frame of the stimulus, with the frame that the reconstruction shows at the middle of its time.
    #[default]
    Nearest,
    /// Frames at the same position; different numbers of frames are an error.
    Equal,
    /// The first frames of both.
    First(usize),
    /// The frames that both show at this many times, evenly spaced.
    Uniform(usize),
    /// The frame in the middle of each clip represents the clip, which is then an item without frames.
    Middle,
    /// The frame with this number (from 1) represents the clip.
    At(usize),
}

impl FrameMatch {
    /// Are frames compared that are shown at the same time?
    pub(super) fn is_by_time(self) -> bool {
        matches!(self, FrameMatch::Nearest | FrameMatch::Uniform(_) | FrameMatch::Middle)
    }

    /// Does one frame represent a clip?
    pub(super) fn is_one(self) -> bool {
        matches!(self, FrameMatch::Middle | FrameMatch::At(_))
    }
}

impl fmt::Display for FrameMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameMatch::Nearest => f.write_str("nearest"),
            FrameMatch::Equal => f.write_str("error"),
            FrameMatch::First(n) => write!(f, "first:{n}"),
            FrameMatch::Uniform(n) => write!(f, "uniform:{n}"),
            FrameMatch::Middle => f.write_str("middle"),
            FrameMatch::At(n) => write!(f, "at:{n}"),
        }
    }
}

impl FromStr for FrameMatch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |number: &str| number.parse().ok().filter(|&n: &usize| n > 0);
        let found = match text.split_once(':') {
            None if text == "nearest" => Some(FrameMatch::Nearest),
            None if text == "error" => Some(FrameMatch::Equal),
            None if text == "middle" => Some(FrameMatch::Middle),
            Some(("first", n)) => number(n).map(FrameMatch::First),
            Some(("uniform", n)) => number(n).map(FrameMatch::Uniform),
            Some(("at", n)) => number(n).map(FrameMatch::At),
            _ => None,
        };
        let expected = "expected nearest, error, middle, first:N, uniform:N or at:N with N of 1 or more";
        found.ok_or_else(|| format!("{text:?}: {expected}"))
    }
}
