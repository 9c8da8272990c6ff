//! Names of tabs.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use wisp_engine::protocol::TabId;

/// A name that no tab has had while the program runs. It tells nothing of how many there were.
pub fn new_tab_id() -> TabId {
    static MADE: AtomicU64 = AtomicU64::new(0);
    static KEY: OnceLock<u64> = OnceLock::new();
    let key = KEY.get_or_init(|| RandomState::new().hash_one("tabs"));
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    TabId::new(format!("{:016x}", scatter(number.wrapping_add(*key))))
}

/// Different numbers give different numbers (each step can be undone), which look unlike each other: the finish
/// of SplitMix64.
fn scatter(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_name_comes_twice_and_neighbours_look_unlike() {
        let names: HashSet<_> = (0..10_000).map(|_| new_tab_id()).collect();
        assert_eq!(names.len(), 10_000);
        let bits = (scatter(7) ^ scatter(8)).count_ones();
        assert!((12..=52).contains(&bits), "{bits} bits differ");
    }
}
