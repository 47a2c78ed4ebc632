//! Simulated recordings whose reproducible dimensions are known.

mod options;
mod simulation;

pub use options::{SimulatedRegion, SimulationOptions};
pub use simulation::{SimulatedUnit, Simulation};
