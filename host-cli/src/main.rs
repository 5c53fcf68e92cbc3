//! The command line's entry.

fn main() -> std::process::ExitCode {
    gitgate::run()
}
