//! Hot paths, one at a time and on one thread, on inputs that are made here. `bench/instructions.py` counts the
//! instructions of each:
//!
//! ```text
//! hot_paths --list
//! hot_paths NAME
//! ```
//!
//! The call that counts is inside [`counted`]. One call before it fills what is made once (tables, choices of kernels).
#![allow(clippy::print_stdout)]

mod captions;
mod embeddings;
mod files;
mod inputs;
mod networks;
mod objects;
mod pixels;
mod recovery;
mod statistics;

use std::error::Error;

type Failure = Box<dyn Error>;
/// Computes once and returns some number of the result.
type Work = Box<dyn FnMut() -> Result<f64, Failure>>;
/// A name, and what makes its input.
type HotPath = (&'static str, fn() -> Result<Work, Failure>);

fn main() -> Result<(), Failure> {
    let paths: Vec<HotPath> = [
        pixels::PATHS,
        objects::PATHS,
        captions::PATHS,
        embeddings::PATHS,
        statistics::PATHS,
        files::PATHS,
        recovery::PATHS,
        networks::PATHS,
    ]
    .concat();
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "--list" {
        for (name, _) in &paths {
            println!("{name}");
        }
        return Ok(());
    }
    let Some((_, prepare)) = paths.iter().find(|(name, _)| *name == argument) else {
        return Err(format!("no path is called {argument:?}; --list names them").into());
    };
    // This thread is the pool, so everything runs in it.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let mut work = prepare()?;
    let first = work()?;
    let second = counted(&mut work)?;
    if !second.is_finite() || first != second {
        return Err(format!("{argument}: {first} in the first call, {second} in the second").into());
    }
    println!("{second}");
    Ok(())
}

/// The call whose instructions count. Its name is known to `bench/instructions.py`.
#[inline(never)]
fn counted(work: &mut Work) -> Result<f64, Failure> {
    std::hint::black_box(work())
}
