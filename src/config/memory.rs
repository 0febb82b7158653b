//! The memory that the settings allow, beside what the container has.

use std::fs;

use crate::config::units::size_text;

/// What the program takes when it is idle: code, tables, stacks of threads, and buffers that workers keep.
const BASE_BYTES: usize = 24 << 20;

/// What a connection takes at most beside the budgets: the buffer for a head, and the state of its task.
const CONNECTION_BYTES: usize = 32 << 10;

/// Where Linux tells a container its limit on memory: version 2 and version 1 of cgroups.
const LIMIT_FILES: [&str; 2] = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// The most bytes that the program takes with these budgets and so many connections.
pub(super) fn most_bytes(budgets: [usize; 4], connections: usize) -> usize {
    let connections = connections.saturating_mul(CONNECTION_BYTES);
    budgets.into_iter().chain([connections, BASE_BYTES]).fold(0, usize::saturating_add)
}

/// A warning if the program may take more bytes than its container has.
pub(super) fn warning(bytes: usize, limit: usize) -> Option<String> {
    (bytes > limit).then(|| {
        format!(
            "the budgets allow {} of memory together, and the container has {}: raise its limit, or lower \
             MAZED_WORK_BYTES, MAZED_CACHE_BYTES, MAZED_UNREAD_BYTES, MAZED_BODIES_BYTES or MAZED_CONNECTIONS",
            size_text(bytes),
            size_text(limit)
        )
    })
}

/// The limit on the memory of this container, if there is one.
pub fn container_limit() -> Option<usize> {
    LIMIT_FILES.into_iter().find_map(|file| limit_of(&fs::read_to_string(file).ok()?))
}

/// The limit that such a file tells. Without one it has a word, or a number near the largest.
fn limit_of(text: &str) -> Option<usize> {
    text.trim().parse().ok().filter(|limit| *limit < usize::MAX >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_limit_tells_none() {
        for (text, limit) in
            [("536870912\n", Some(512 << 20)), ("max\n", None), ("9223372036854771712\n", None), ("", None)]
        {
            assert_eq!(limit_of(text), limit, "{text:?}");
        }
    }
}
