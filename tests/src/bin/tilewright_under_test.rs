//! The `tilewright` binary, built as a binary of this package so that cargo tells the end-to-end tests its path.

fn main() -> std::process::ExitCode {
    tilewright::main()
}
