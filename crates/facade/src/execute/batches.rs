//! Prepares items on worker threads while a model observes the prepared ones.

use crate::Error;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Prepared batches that may wait for the model, per worker thread.
const WAITING: usize = 1;

/// No model keeps up with more threads.
const MAX_WORKERS: usize = 4;

/// A batch, up to the first image that could not be prepared.
struct Batch<T> {
    images: Vec<T>,
    failure: Option<Error>,
}

/// The number of threads that prepare images: half as many as the model has.
pub(super) fn n_workers() -> usize {
    (rayon::current_num_threads() / 2).clamp(1, MAX_WORKERS)
}

/// The most batches that exist at once: each worker prepares one while others wait, and the model has one.
pub(super) fn n_batches(n_workers: usize) -> usize {
    n_workers * (WAITING + 1) + 1
}

/// Passes all items, prepared, to `consume`, in order and in batches of `n_together`.
///
/// Worker w prepares batches w, w + n, w + 2n, ... and has its own channel with room for [`WAITING`] of them, so at
/// most [`n_batches`] exist at any time, regardless of the number of items. The images before the first failure are
/// still consumed.
pub(super) fn in_batches<T: Send>(
    items: &[usize],
    (n_workers, n_together): (usize, usize),
    prepare: impl Fn(usize) -> Result<T, Error> + Sync,
    mut consume: impl FnMut(&[usize], Vec<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    thread::scope(|scope| {
        let receivers: Vec<Receiver<Batch<T>>> = (0..n_workers)
            .map(|worker| {
                let (sender, receiver) = sync_channel(WAITING);
                let prepare = &prepare;
                let chunks = items.chunks(n_together).skip(worker).step_by(n_workers);
                scope.spawn(move || work(chunks, prepare, &sender));
                receiver
            })
            .collect();
        for (number, chunk) in items.chunks(n_together).enumerate() {
            // A closed channel means that the worker panicked; the scope passes the panic on.
            let Ok(batch) = receivers[number % n_workers].recv() else {
                return Ok(());
            };
            consume(&chunk[..batch.images.len()], batch.images)?;
            if let Some(failure) = batch.failure {
                return Err(failure);
            }
        }
        Ok(())
    })
}

fn work<'i, T>(
    chunks: impl Iterator<Item = &'i [usize]>,
    prepare: &(impl Fn(usize) -> Result<T, Error> + Sync),
    sender: &SyncSender<Batch<T>>,
) {
    for chunk in chunks {
        let mut batch = Batch {
            images: Vec::with_capacity(chunk.len()),
            failure: None,
        };
        for &item in chunk {
            match prepare(item) {
                Ok(image) => batch.images.push(image),
                Err(error) => {
                    batch.failure = Some(error);
                    break;
                }
            }
        }
        let is_last = batch.failure.is_some();
        // After a failed batch, the receiver is gone.
        if sender.send(batch).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::Image;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    const BATCH: usize = 8;

    fn image(value: usize) -> Image<f32> {
        Image::new(1, 1, vec![value as f32; 3]).unwrap()
    }

    #[test]
    fn few_images_exist_at_a_time_however_slow_the_model_and_they_come_in_order() {
        for n_workers in [1, 3] {
            let (alive, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let items: Vec<usize> = (0..500).map(|i| i * 2).collect();
            let mut seen = Vec::new();
            in_batches(
                &items,
                (n_workers, BATCH),
                |item| {
                    let now = alive.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    Ok(image(item))
                },
                |items, images| {
                    thread::sleep(Duration::from_millis(1));
                    for (item, image) in items.iter().zip(&images) {
                        assert_eq!(image.data()[0], *item as f32);
                        seen.push(*item);
                    }
                    alive.fetch_sub(images.len(), Ordering::SeqCst);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(seen, items);
            let bound = n_batches(n_workers) * BATCH;
            let most = most.load(Ordering::SeqCst);
            assert!(most <= bound, "{most} images at a time, not {bound}");
        }
    }

    #[test]
    fn what_precedes_a_failure_is_consumed_and_nothing_behind_it() {
        let items: Vec<usize> = (0..100).collect();
        let mut seen = 0;
        let outcome = in_batches(
            &items,
            (4, BATCH),
            |item| match item {
                21 => Err(Error::Usage("the 21st".into())),
                _ => Ok(image(item)),
            },
            |items, _| {
                seen += items.len();
                Ok(())
            },
        );
        assert_eq!(outcome.unwrap_err().to_string(), "the 21st");
        assert_eq!(seen, 21);
    }

    #[test]
    fn a_model_that_fails_stops_the_workers() {
        let items: Vec<usize> = (0..1000).collect();
        let prepared = AtomicUsize::new(0);
        let outcome = in_batches(
            &items,
            (2, BATCH),
            |item| {
                prepared.fetch_add(1, Ordering::SeqCst);
                Ok(image(item))
            },
            |_, _| Err(Error::Usage("no".into())),
        );
        assert!(outcome.is_err());
        assert!(prepared.load(Ordering::SeqCst) < 100);
    }
}
