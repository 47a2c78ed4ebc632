//! The interface through which long work reports its progress.

/// Receives reports of progress; the command line draws bars, tests ignore it.
pub trait Progress: Sync {
    /// A stage of `total` steps begins; an earlier run has finished `done` of them.
    fn start(&self, stage: &str, total: u64, done: u64);
    /// `n` more steps are finished.
    fn advance(&self, n: u64);
    /// The stage is over.
    fn finish(&self);
    /// Something the user should read.
    fn note(&self, message: &str);
    /// Something that makes results doubtful.
    fn warn(&self, message: &str) {
        self.note(message);
    }
    /// May this be downloaded? `what` describes it.
    fn allows_download(&self, _what: &str) -> bool {
        true
    }
    /// A detail for users who want to follow the work. By default it is not shown.
    fn detail(&self, _message: &str) {}
}

/// Shows no progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _stage: &str, _total: u64, _done: u64) {}
    fn advance(&self, _n: u64) {}
    fn finish(&self) {}
    fn note(&self, _message: &str) {}
}
