//! The memory of this process.

/// The peak memory of this process in megabytes, where the system reports it.
pub fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0 / 1e6)
}
