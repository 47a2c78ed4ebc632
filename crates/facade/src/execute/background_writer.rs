//! Stores results on a separate thread while the model continues with the next items.

use crate::Error;
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::thread;

/// Results that may wait to be stored; if there are more, the model waits.
const WAITING: usize = 1;

/// Calls `observe` with a function that accepts results, and passes them to `keep` in order. With `at_once`, a result
/// is stored when that function returns; otherwise, all are stored when this function returns.
///
/// If a result cannot be stored, `observe` gets an error when it passes the next results, and later results are lost.
/// If `observe` fails, its earlier results are stored.
pub(super) fn keeping<T: Send>(
    at_once: bool,
    mut keep: impl FnMut(T) -> Result<(), Error> + Send,
    observe: impl FnOnce(&mut dyn FnMut(T) -> Result<(), Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    if at_once {
        return observe(&mut keep);
    }
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let writer = scope.spawn(move || receiver.into_iter().try_for_each(keep));
        let observed = observe(&mut |results| {
            let sent = sender.send(results);
            // The writer has failed; its own error is returned below.
            sent.map_err(|_| Error::Usage("results can no longer be kept".into()))
        });
        drop(sender);
        writer.join().unwrap_or_else(|panic| resume_unwind(panic)).and(observed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn failing(what: &str) -> Result<(), Error> {
        Err(Error::Usage(what.into()))
    }

    #[test]
    fn the_model_goes_on_while_results_are_kept() {
        // Each result is stored only after the next one has been made; if the model waited, this test would never end.
        let (n, next_is_made) = (5, Barrier::new(2));
        let mut kept = Vec::new();
        keeping(
            false,
            |item: usize| {
                if item + 1 < n {
                    next_is_made.wait();
                }
                kept.push(item);
                Ok(())
            },
            |take| {
                for item in 0..n {
                    if item > 0 {
                        next_is_made.wait();
                    }
                    take(item)?;
                }
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(kept, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn what_is_kept_at_once_is_kept_before_the_next_is_made() {
        let n_kept = AtomicUsize::new(0);
        let keep = |_| {
            n_kept.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let observe = |take: &mut dyn FnMut(usize) -> Result<(), Error>| {
            for item in 0..5 {
                assert_eq!(n_kept.load(Ordering::SeqCst), item);
                take(item)?;
            }
            Ok(())
        };
        keeping(true, keep, observe).unwrap();
    }

    #[test]
    fn few_results_wait_however_slow_the_writer() {
        let (made, kept, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let keep = |_| {
            thread::sleep(std::time::Duration::from_millis(1));
            kept.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let observe = |take: &mut dyn FnMut(usize) -> Result<(), Error>| {
            for item in 0..100 {
                let n_made = made.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(n_made - kept.load(Ordering::SeqCst), Ordering::SeqCst);
                take(item)?;
            }
            Ok(())
        };
        keeping(false, keep, observe).unwrap();
        assert_eq!(kept.load(Ordering::SeqCst), 100);
        // One result is being stored, some wait, one is being handed over, and one is being made.
        assert!(most.load(Ordering::SeqCst) <= WAITING + 3);
    }

    #[test]
    fn a_writer_that_fails_stops_the_model_with_its_own_error() {
        for at_once in [false, true] {
            let mut n_made = 0;
            let keep = |item: usize| match item {
                3 => failing("the disk is full"),
                _ => Ok(()),
            };
            let outcome = keeping(at_once, keep, |take| {
                for item in 0..1000 {
                    n_made += 1;
                    take(item)?;
                }
                Ok(())
            });
            assert_eq!(outcome.unwrap_err().to_string(), "the disk is full");
            assert!(n_made < 10, "{n_made}");
        }
    }

    #[test]
    fn what_was_made_before_a_model_failed_is_kept() {
        for at_once in [false, true] {
            let mut kept = Vec::new();
            let keep = |item: usize| {
                kept.push(item);
                Ok(())
            };
            let outcome = keeping(at_once, keep, |take| {
                (0..4).try_for_each(&mut *take)?;
                failing("no model")
            });
            assert_eq!(outcome.unwrap_err().to_string(), "no model");
            assert_eq!(kept, [0, 1, 2, 3]);
        }
    }
}
