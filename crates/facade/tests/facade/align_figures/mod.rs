//! Figures of alignments of simulated recordings.

mod alignments;
mod panels;
mod repetition;
