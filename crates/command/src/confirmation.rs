//! Asks the user at the terminal.

use crate::args::{DOWNLOADS_ALLOWED, allow_downloads};
use crate::output;
use std::io::{IsTerminal, stdin};
use std::sync::atomic::Ordering;

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

/// May this be downloaded? The user is asked once per command, unless downloads are already allowed.
pub(crate) fn allows_download(what: &str) -> bool {
    let is_allowed =
        DOWNLOADS_ALLOWED.load(Ordering::Relaxed) || confirmed(&format!("{what}. Download now?")) == Some(true);
    if is_allowed {
        allow_downloads();
    }
    is_allowed
}
