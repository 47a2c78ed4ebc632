//! HDF5 datasets: through HDF5's C library in builds with the feature `hdf5`, in others through a reader in Rust, which
//! reads whole arrays and rows.

#[cfg(feature = "hdf5")]
mod library;
#[cfg(not(feature = "hdf5"))]
mod pure;

#[cfg(feature = "hdf5")]
pub use library::Dataset;
#[cfg(not(feature = "hdf5"))]
pub use pure::Dataset;
