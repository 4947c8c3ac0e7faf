//! The `tilewright` binary, with its code in the library of the same name.

fn main() -> std::process::ExitCode {
    tilewright::main()
}
