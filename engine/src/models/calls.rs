//! Joins the pieces of tool calls.
//!
//! Servers number the pieces, or name them by id, or just send them one after another; some send whole
//! calls under one number. The rules are those of contract B12 and C19. It knows nothing of tools.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::chunk::Fragment;
use super::item::ModelCall;

/// The most calls in one reply: far above what any model asks for at once, far below what would hurt.
pub(super) const MAX_CALLS: usize = 1_000;

/// One call in the making.
#[derive(Debug)]
struct Slot {
    /// The number that pieces give it; also the order in the end.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    announced: bool,
}

/// The calls of one reply.
#[derive(Debug, Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
    /// The last call that each number means, and the last one that each id means.
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    /// Calls that have a name which hasn't been told.
    untold: BTreeSet<usize>,
}

impl Calls {
    /// Takes one piece; `announced` gets the names of calls that are known by it. True if the piece
    /// said anything.
    pub(super) fn add(
        &mut self,
        piece: &Fragment<'_>,
        index: Option<u64>,
        announced: &mut Vec<String>,
    ) -> bool {
        let (id, name, arguments) = (piece.id(), piece.name(), piece.arguments());
        if id.is_none() && name.is_none() && arguments.is_none() {
            return false;
        }
        let (id, name) = (id.as_deref(), name.as_deref());
        let place = self.place(index, id, name, arguments.as_deref());
        if place.is_none() {
            self.announce(announced);
            if let Some(index) = index {
                self.by_index.insert(index, self.slots.len());
            }
            self.slots.push(Slot {
                index,
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
                announced: false,
            });
        }
        let place = place.unwrap_or(self.slots.len().saturating_sub(1));
        let Some(slot) = self.slots.get_mut(place) else {
            return false;
        };
        if slot.id.is_empty()
            && let Some(id) = id
        {
            id.clone_into(&mut slot.id);
            let last = self.by_id.entry(id.to_owned()).or_insert(place);
            *last = place.max(*last);
        }
        if let Some(name) = name {
            // Some servers repeat the name in each piece, a few send it in pieces of its own.
            if name.starts_with(&slot.name) {
                name.clone_into(&mut slot.name);
            } else {
                slot.name.push_str(name);
            }
            if !slot.announced {
                self.untold.insert(place);
            }
        }
        if let Some(arguments) = arguments {
            slot.arguments.push_str(&arguments);
            if self.untold.remove(&place) {
                slot.announce(announced);
            }
        }
        true
    }

    /// Which call a piece belongs to; `None` begins one.
    fn place(
        &self,
        index: Option<u64>,
        id: Option<&str>,
        name: Option<&str>,
        arguments: Option<&str>,
    ) -> Option<usize> {
        let place = match (index, id) {
            (Some(index), _) => self.by_index.get(&index).copied(),
            (None, Some(id)) => return self.by_id.get(id).copied(),
            (None, None) => self.slots.len().checked_sub(1),
        }?;
        let slot = self.slots.get(place)?;
        let other_id = id.is_some_and(|id| !slot.id.is_empty() && slot.id != id);
        // Without ids, a name after the arguments have begun tells that a next call begins, unless it
        // is the same name repeated beside arguments that still go on.
        let next_name = id.is_none()
            && !slot.arguments.is_empty()
            && name.is_some_and(|name| {
                name != slot.name || (arguments.is_some() && is_whole(&slot.arguments))
            });
        (!other_id && !next_name).then_some(place)
    }

    /// Tells the names that haven't been told.
    pub(super) fn announce(&mut self, announced: &mut Vec<String>) {
        for place in std::mem::take(&mut self.untold) {
            if let Some(slot) = self.slots.get_mut(place) {
                slot.announce(announced);
            }
        }
    }

    /// Whether there are more than a reply may have.
    pub(super) fn are_too_many(&self) -> bool {
        self.slots.len() > MAX_CALLS
    }

    /// The calls in their order, each with an id of its own. `seed` goes into the ids that are made up,
    /// so that they differ from those of other replies.
    pub(super) fn finish(mut self, seed: &str) -> Vec<ModelCall> {
        self.slots
            .retain(|slot| !slot.name.is_empty() || !slot.arguments.is_empty());
        let mut numbers: Vec<_> = self.slots.iter().filter_map(|slot| slot.index).collect();
        numbers.sort_unstable();
        numbers.dedup();
        // With a number used twice the numbers tell no order: the calls stay as they came.
        if numbers.len() == self.slots.len() {
            self.slots.sort_by_key(|slot| slot.index);
        }
        let mut taken = HashSet::new();
        let mut copies: HashMap<String, u32> = HashMap::new();
        let mut calls = Vec::with_capacity(self.slots.len());
        for (place, slot) in self.slots.into_iter().enumerate() {
            let wanted = if slot.id.is_empty() {
                format!("call_{seed}_{place}")
            } else {
                slot.id
            };
            let mut id = wanted.clone();
            if !taken.insert(id.clone()) {
                let copy = copies.entry(wanted.clone()).or_insert(1);
                while !taken.insert(id.clone()) {
                    *copy = copy.saturating_add(1);
                    id = format!("{wanted}_{copy}");
                }
            }
            let arguments = match slot.arguments.trim() {
                "" | "null" => "{}".to_owned(),
                _ => slot.arguments,
            };
            calls.push(ModelCall {
                id,
                name: slot.name,
                arguments,
            });
        }
        calls
    }
}

impl Slot {
    fn announce(&mut self, announced: &mut Vec<String>) {
        self.announced = true;
        announced.push(self.name.clone());
    }
}

fn is_whole(arguments: &str) -> bool {
    // The last brace first: the full look is only taken where it can succeed.
    arguments.trim_end().ends_with('}')
        && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(pieces: &[&str]) -> (Vec<(String, String, String)>, Vec<String>) {
        let mut calls = Calls::default();
        let mut announced = Vec::new();
        for piece in pieces {
            let fragment: Fragment<'_> = serde_json::from_str(piece).unwrap();
            calls.add(&fragment, fragment.index(), &mut announced);
        }
        calls.announce(&mut announced);
        let calls = calls.finish("s");
        (
            calls
                .into_iter()
                .map(|call| (call.id, call.name, call.arguments))
                .collect(),
            announced,
        )
    }

    fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
        (id.into(), name.into(), arguments.into())
    }

    #[test]
    fn pieces_join_by_number_interleaved_and_sparse() {
        let (calls, announced) = join(&[
            r#"{"index":4,"id":"b","function":{"name":"two","arguments":""}}"#,
            r#"{"index":1,"id":"a","function":{"name":"one","arguments":"{\"x\""}}"#,
            r#"{"index":4,"function":{"arguments":"{}"}}"#,
            r#"{"index":1,"function":{"arguments":":1}"}}"#,
            r#"{"index":9}"#,
        ]);
        assert_eq!(
            calls,
            [call("a", "one", r#"{"x":1}"#), call("b", "two", "{}")]
        );
        assert_eq!(announced, ["two", "one"]);
    }

    #[test]
    fn without_a_number_the_id_tells_and_without_both_the_last() {
        let (calls, _) = join(&[
            r#"{"id":"a","function":{"name":"one","arguments":"{"}}"#,
            r#"{"id":"b","function":{"name":"two","arguments":"{"}}"#,
            r#"{"id":"a","function":{"arguments":"}"}}"#,
            r#"{"function":{"arguments":"}"}}"#,
        ]);
        assert_eq!(calls, [call("a", "one", "{}"), call("b", "two", "{}")]);
    }

    #[test]
    fn a_new_id_on_a_used_number_begins_a_call() {
        let (calls, announced) = join(&[
            r#"{"index":0,"id":"a","function":{"name":"one","arguments":"{}"}}"#,
            r#"{"index":0,"id":"b","function":{"name":"one","arguments":"{"}}"#,
            r#"{"index":0,"function":{"arguments":"}"}}"#,
        ]);
        assert_eq!(calls, [call("a", "one", "{}"), call("b", "one", "{}")]);
        assert_eq!(announced, ["one", "one"]);
    }

    #[test]
    fn whole_calls_without_number_and_id_stay_apart() {
        let (calls, _) = join(&[
            r#"{"function":{"name":"one","arguments":{"a":"}"}}}"#,
            r#"{"function":{"name":"one","arguments":{"a":2}}}"#,
            r#"{"function":{"name":"two","arguments":null}}"#,
        ]);
        assert_eq!(
            calls,
            [
                call("call_s_0", "one", r#"{"a":"}"}"#),
                call("call_s_1", "one", r#"{"a":2}"#),
                call("call_s_2", "two", "{}"),
            ]
        );
    }

    #[test]
    fn a_repeated_name_is_one_and_pieces_of_a_name_join() {
        let (calls, announced) = join(&[
            r#"{"index":0,"id":"a","function":{"name":"files_","arguments":""}}"#,
            r#"{"index":0,"function":{"name":"read"}}"#,
            r#"{"index":0,"function":{"arguments":"{\"p\":"}}"#,
            r#"{"index":0,"function":{"name":"files_read","arguments":"1}"}}"#,
        ]);
        assert_eq!(calls, [call("a", "files_read", r#"{"p":1}"#)]);
        assert_eq!(announced, ["files_read"]);
    }

    #[test]
    fn an_id_means_the_last_call_that_has_it() {
        let (calls, announced) = join(&[
            r#"{"index":0,"function":{"name":"one"}}"#,
            r#"{"id":"a","function":{"name":"two","arguments":"{"}}"#,
            r#"{"index":0,"id":"a"}"#,
            r#"{"id":"a","function":{"arguments":"}"}}"#,
        ]);
        assert_eq!(calls, [call("a", "one", "{}"), call("a_2", "two", "{}")]);
        assert_eq!(announced, ["one", "two"]);
    }

    #[test]
    fn a_name_that_comes_late_is_told_when_the_next_call_begins() {
        let (_, announced) = join(&[
            r#"{"index":0,"id":"a"}"#,
            r#"{"index":1,"id":"b","function":{"name":"two"}}"#,
            r#"{"index":0,"function":{"name":"one"}}"#,
            r#"{"index":2,"function":{"name":"three","arguments":"{}"}}"#,
        ]);
        assert_eq!(announced, ["one", "two", "three"]);
    }

    #[test]
    fn ids_are_made_up_and_made_unique() {
        let (calls, _) = join(&[
            r#"{"index":0,"id":"a","function":{"name":"n"}}"#,
            r#"{"index":1,"id":"a","function":{"name":"n"}}"#,
            r#"{"index":2,"id":"a_2","function":{"name":"n","arguments":" "}}"#,
            r#"{"index":3,"function":{"name":"n","arguments":"null"}}"#,
        ]);
        let ids: Vec<_> = calls.iter().map(|call| call.0.as_str()).collect();
        assert_eq!(ids, ["a", "a_2", "a_2_2", "call_s_3"]);
        assert!(calls.iter().all(|call| call.2 == "{}"));
    }
}
