//! Target-space bases of one source under many orders of its training rows.
//!
//! With H = U D^2 U' (D as in the ridge solution), rows and columns of it in the permuted order, and
//! G = Y Y', the directions of rank k are Y' w for the leading w of H G w = lambda w, which are
//! orthogonal in the inner product of G. A block Lanczos iteration finds the few that are needed, for all orders in
//! parallel, so that G and H are read once for all. Blocks of two vectors find multiple eigenvalues twice: if that
//! happens, or if an iteration stops early or does not converge in time, the full solution is used.

pub(crate) mod bases;
mod krylov;

pub(crate) use bases::{SIDE_BY_SIDE, permuted_bases};
