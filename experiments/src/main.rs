//! The `tilewright` binary; everything it does is in the library of the same name.

fn main() -> std::process::ExitCode {
    tilewright::main()
}
