//! Words and sentences, as metrics of captions need them.
