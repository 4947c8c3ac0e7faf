//! The `tilewright` binary, built where the end-to-end tests can always find it.

fn main() -> std::process::ExitCode {
    tilewright::main()
}
