//! Questions to the user at the terminal.

use crate::output;
use std::io::{IsTerminal, stdin};
use std::sync::atomic::{AtomicBool, Ordering};

/// May weights be downloaded without asking again?
static DOWNLOADS_ALLOWED: AtomicBool = AtomicBool::new(false);

/// Is the answer yes? `None` if there is no terminal to ask at.
pub(crate) fn confirmed(question: &str) -> Option<bool> {
    if !stdin().is_terminal() {
        return None;
    }
    output::always(&format!("{question} [y/N]"));
    let mut answer = String::new();
    let _ = stdin().read_line(&mut answer);
    Some(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// From now on, weights are downloaded without a question.
pub(crate) fn allow_downloads() {
    DOWNLOADS_ALLOWED.store(true, Ordering::Relaxed);
}

/// May this be downloaded? The user is asked once per command, unless downloads are already allowed.
pub(crate) fn allows_download(what: &str) -> bool {
    let is_allowed =
        DOWNLOADS_ALLOWED.load(Ordering::Relaxed) || confirmed(&format!("{what}. Download now?")) == Some(true);
    if is_allowed {
        allow_downloads();
    }
    is_allowed
}
