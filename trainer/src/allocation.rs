//! What becomes of memory that has been freed.

#![allow(unsafe_code)]

/// Has the GNU C library keep what is freed for the blocks that come next. A learning step frees all that
/// it computes and asks for the same blocks again; to hand them to the system in between costs a fifth of
/// its time and more in page faults (docs/decisions/0018). To be called before threads are started.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Largest block that comes from the heap, in bytes: the most that every GNU C library takes.
        const LARGEST_BLOCK: i32 = 32 << 20;
        /// Free bytes at the end of the heap that are kept.
        const KEPT: i32 = 256 << 20;
        for (parameter, bytes) in [
            (libc::M_MMAP_THRESHOLD, LARGEST_BLOCK),
            (libc::M_TRIM_THRESHOLD, KEPT),
        ] {
            // SAFETY: mallopt takes two numbers and no memory of ours. A number that the library refuses
            // changes nothing, so its answer does not matter.
            unsafe { libc::mallopt(parameter, bytes) };
        }
    }
}
