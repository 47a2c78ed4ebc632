//! The memory that is available to this process.

use std::path::Path;
use std::sync::OnceLock;

/// The assumed memory if it is unknown, bytes.
const UNKNOWN_MACHINE: u64 = 1 << 33;

/// The files of a cgroup with the memory limit and usage, for version 2 and version 1.
const GROUP_FILES: [[&str; 2]; 2] =
    [["memory.max", "memory.current"], ["memory.limit_in_bytes", "memory.usage_in_bytes"]];

/// The most bytes that this process may use: the minimum of the machine's memory, its cgroup's limit and its own limit.
pub(crate) fn limit() -> u64 {
    static MEMORY: OnceLock<u64> = OnceLock::new();
    *MEMORY.get_or_init(|| {
        let groups = groups();
        let of_groups = groups.iter().filter_map(|group| group_limit(group));
        let found = [field(&text("/proc/meminfo"), "MemTotal:"), address_space(&text("/proc/self/limits"))];
        let least = of_groups.chain(found.into_iter().flatten()).min();
        least.unwrap_or(UNKNOWN_MACHINE)
    })
}

/// Bytes that this process can use now without swapping: the minimum of the machine's available memory and what remains
/// of its cgroup's limit. Memory that caches files counts as available. `None` if unknown.
///
/// ```
/// let available = neurogauge_formats::machine_memory::available();
/// assert!(available.is_none_or(|bytes| bytes > 0));
/// ```
pub fn available() -> Option<u64> {
    let groups = groups();
    let of_groups = groups.iter().filter_map(|group| left_in_group(group));
    let of_machine = field(&text("/proc/meminfo"), "MemAvailable:");
    of_groups.chain(of_machine).min()
}

/// Bytes of main memory that this process uses now. `None` if unknown.
///
/// ```
/// let resident = neurogauge_formats::machine_memory::resident();
/// assert!(resident.is_none_or(|bytes| bytes > 1 << 20));
/// ```
pub fn resident() -> Option<u64> {
    field(&text("/proc/self/status"), "VmRSS:")
}

/// From now on, disables transparent huge pages for this process and its children (on Linux; elsewhere nothing
/// happens). Pages of 2 MiB round up every allocation, so with them, weights in many pieces need a tenth more memory.
/// No result depends on it, so a refusal is ignored.
///
/// ```
/// neurogauge_formats::machine_memory::disable_huge_pages();
/// ```
pub fn disable_huge_pages() {
    #[cfg(target_os = "linux")]
    rustix::thread::disable_transparent_huge_pages(true).ok();
}

/// The folders that may have the memory limits of this process's cgroup.
fn groups() -> Vec<String> {
    let group = text("/proc/self/cgroup");
    let group = group.lines().find_map(|line| line.strip_prefix("0::"));
    let own = group.unwrap_or_default().trim_end_matches('/');
    vec![format!("/sys/fs/cgroup{own}"), "/sys/fs/cgroup".to_owned(), "/sys/fs/cgroup/memory".to_owned()]
}

/// The limit of the cgroup with this folder, bytes.
fn group_limit(group: &str) -> Option<u64> {
    GROUP_FILES.iter().find_map(|[limit, _]| number(group, limit))
}

/// Bytes that the cgroup of this folder may still use.
fn left_in_group(group: &str) -> Option<u64> {
    let [limit, used] =
        GROUP_FILES.iter().find_map(|[limit, used]| Some([number(group, limit)?, number(group, used)?]))?;
    let of_files: u64 = text(format!("{group}/memory.stat")).lines().filter_map(file_bytes).sum();
    Some(limit.saturating_sub(used.saturating_sub(of_files)))
}

/// The bytes of cached files in a line of `memory.stat`.
fn file_bytes(line: &str) -> Option<u64> {
    let (name, bytes) = line.split_once(' ')?;
    matches!(name, "active_file" | "inactive_file").then(|| bytes.parse().ok()).flatten()
}

fn number(group: &str, file: &str) -> Option<u64> {
    text(format!("{group}/{file}")).trim().parse().ok()
}

fn text(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// A field of `/proc/meminfo` or `/proc/self/status`, bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The soft limit in `/proc/self/limits`, bytes; `None` if there is none.
fn address_space(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_asked_in_its_own_words() {
        let machine = "MemTotal:       16 kB\nMemFree: 3 kB\nMemAvailable:  7 kB";
        assert_eq!(field(machine, "MemTotal:"), Some(16384));
        assert_eq!(field(machine, "MemAvailable:"), Some(7 * 1024));
        let limits = "Limit  Soft  Hard  Units\nMax address space         1000    unlimited  bytes\n";
        assert_eq!(address_space(limits), Some(1000));
        assert_eq!(address_space("Max address space unlimited unlimited bytes"), None);
        assert!(limit() > 1 << 20);
    }

    #[test]
    fn huge_pages_are_turned_off() {
        disable_huge_pages();
        let status = text("/proc/self/status");
        let enabled = status.lines().find_map(|line| line.strip_prefix("THP_enabled:"));
        assert!(enabled.is_none_or(|enabled| enabled.trim() == "0"), "{status}");
    }

    #[test]
    fn a_group_has_left_what_is_neither_used_nor_files() {
        let dir = tempfile::tempdir().unwrap();
        let group = dir.path().to_str().unwrap();
        assert_eq!((group_limit(group), left_in_group(group)), (None, None));
        let write = |file: &str, text: &str| std::fs::write(dir.path().join(file), text).unwrap();
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!((group_limit(group), left_in_group(group)), (None, None));
        write("memory.max", "1000\n");
        assert_eq!(group_limit(group), Some(1000));
        assert_eq!(left_in_group(group), Some(300));
        let statistics = "anon 450\nfile 250\nactive_file 100\ninactive_file 150\n";
        write("memory.stat", statistics);
        assert_eq!(left_in_group(group), Some(550));
        write("memory.max", "400\n");
        assert_eq!(left_in_group(group), Some(0));

        for file in ["memory.max", "memory.current", "memory.stat"] {
            std::fs::remove_file(dir.path().join(file)).unwrap();
        }
        write("memory.limit_in_bytes", "2000\n");
        write("memory.usage_in_bytes", "1500\n");
        assert_eq!(group_limit(group), Some(2000));
        assert_eq!(left_in_group(group), Some(500));
    }
}
