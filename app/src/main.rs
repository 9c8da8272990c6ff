//! The program.

fn main() -> anyhow::Result<()> {
    wisp::window::open()
}
