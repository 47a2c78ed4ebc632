//! HDF5 datasets, in builds with the feature `hdf5`; in others, errors with advice.

#[cfg(not(feature = "hdf5"))]
mod absent;
#[cfg(feature = "hdf5")]
mod library;

#[cfg(not(feature = "hdf5"))]
pub use absent::Dataset;
#[cfg(feature = "hdf5")]
pub use library::Dataset;
