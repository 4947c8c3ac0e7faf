//! The `tilewright` binary; its code is in the library of the same name.

fn main() -> std::process::ExitCode {
    tilewright::main()
}
