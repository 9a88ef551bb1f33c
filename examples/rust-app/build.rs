//! Makes constants of the prompts in `.canopy`.

fn main() -> Result<(), canopy_build::Error> {
    canopy_build::emit()
}
