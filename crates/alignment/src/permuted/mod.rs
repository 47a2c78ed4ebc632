//! Target-space bases of one source under many orders of its training rows.
//!
//! With H = U D^2 U' (D as in the ridge solution), rows and columns of it in the permuted order, and
//! G = Y Y', the directions of rank k are Y' w for the leading w of H G w = lambda w, which are
//! orthogonal in the inner product of G. A block Lanczos iteration finds the few that are asked for,
//! all orders side by side, so that G and H are read once for all. Two vectors at a time see every
//! eigenvalue twice that is there more than once: where that happens, where an iteration stops early
//! or has not converged in time, the full solution takes over.

mod bases;
mod krylov;

pub(crate) use bases::{SIDE_BY_SIDE, permuted_bases};
