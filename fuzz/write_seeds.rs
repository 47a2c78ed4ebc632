//! Writes the valid files of every reader to `corpus/<reader>/`.

// Each of the two programs here uses a part of it.
#[allow(dead_code)]
#[path = "../crates/formats/tests/formats/readers.rs"]
mod readers;
mod recipes;

fn main() -> std::io::Result<()> {
    for reader in readers::READERS.iter().chain([&recipes::RECIPES]) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(reader.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in reader.seeds().into_iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
