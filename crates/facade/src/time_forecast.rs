//! A forecast of how long a run takes, made before the run starts.

use crate::memory_forecast::listed;
use neurogauge_core::in_words::duration;
use neurogauge_models::speed::{Product, Weights};
use std::time::{Duration, Instant};

/// Rows, steps and columns of the product that is timed: a layer of ViT-B/16.
const PRODUCT: (usize, usize, usize) = (197, 768, 3072);
/// How long it is repeated.
const LASTS: Duration = Duration::from_millis(100);
/// Seconds that a thread takes for each pixel of an image that it decodes and prepares, or that a metric compares.
/// Measured.
const OF_PREPARED_PIXEL: f64 = 30e-9;
const OF_COMPARED_PIXEL: f64 = 12e-9;

#[derive(Debug, Clone, PartialEq)]
pub struct TimeForecast {
    pub seconds: f64,
    /// Operations per second of a large product on all threads, measured.
    pub speed: f64,
    pub n_threads: usize,
    /// Models whose time is not counted.
    pub not_counted: Vec<String>,
}

impl TimeForecast {
    /// The forecast in words, such as `about 24 min on 2 threads (measured: 140 GFLOP/s)`.
    pub fn words(&self) -> String {
        let threads = match self.n_threads {
            1 => "1 thread".to_owned(),
            n => format!("{n} threads"),
        };
        let mut words =
            format!("about {} on {threads} (measured: {:.0} GFLOP/s)", duration(self.seconds.ceil()), self.speed / 1e9);
        if !self.not_counted.is_empty() {
            words += &format!(", and in addition that of {}, which is not counted", listed(&self.not_counted));
        }
        words
    }
}

/// What a run computes.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// Operations of networks.
    pub(crate) operations: f64,
    /// Pixels of all images that are decoded and prepared for a network.
    pub(crate) prepared_pixels: f64,
    /// Pixels of all images that metrics compare, once for each metric.
    pub(crate) compared_pixels: f64,
    pub(crate) not_counted: Vec<String>,
}

impl Work {
    /// The forecast for so many threads, whose products reach `speed` operations per second together.
    pub(crate) fn forecast(self, speed: f64, n_threads: usize) -> TimeForecast {
        let of_images = OF_PREPARED_PIXEL * self.prepared_pixels + OF_COMPARED_PIXEL * self.compared_pixels;
        TimeForecast {
            seconds: self.operations / speed + of_images / n_threads as f64,
            speed,
            n_threads,
            not_counted: self.not_counted,
        }
    }
}

/// Measures the operations per second of a large product on all threads at once, with what else the machine does.
pub(crate) fn measured_speed() -> f64 {
    let of_thread = |_: rayon::BroadcastContext<'_>| {
        let mut product = Product::new(PRODUCT, Weights::F32);
        let (start, mut n_done) = (Instant::now(), 0.0);
        while start.elapsed() < LASTS {
            product.seconds();
            n_done += 1.0;
        }
        n_done * product.operations() / start.elapsed().as_secs_f64()
    };
    rayon::broadcast(of_thread).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_operations_by_speed_and_pixels_by_threads() {
        let work = Work {
            operations: 280e12,
            prepared_pixels: 1e9,
            compared_pixels: 5e9,
            not_counted: vec!["git_large_coco".to_owned()],
        };
        let forecast = work.forecast(200e9, 2);
        // 1400 s of products; 30 s and 60 s of images on two threads.
        assert!((forecast.seconds - 1445.0).abs() < 1e-9, "{forecast:?}");
        assert_eq!(
            forecast.words(),
            "about 24 min on 2 threads (measured: 200 GFLOP/s), and in addition that of git_large_coco, which is not counted"
        );
        let nothing = Work::default().forecast(1e9, 1).words();
        assert_eq!(nothing, "about 0 s on 1 thread (measured: 1 GFLOP/s)");
    }
}
