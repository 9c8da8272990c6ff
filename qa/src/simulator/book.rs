//! What the simulator remembers of requests, and the check of a new one against it.
//!
//! A request must extend an earlier one byte for byte, equal one (a retry), or start a conversation.
//! Requests are known by a digest of their bytes up to the last message, so several conversations,
//! also ones that begin alike, don't disturb each other, and a client may restart at any time. The
//! last few are kept whole: a request that extends one of them is checked from there on only, which
//! keeps the cost of a round independent of the conversation's length.
//!
//! A conversation that another simulator had before is taken as it comes: nothing of it is known here.
//! It is told by its calls' ids, which carry their simulator's mark, or by a beginning that is unknown
//! here. Calls of this simulator behind an unknown beginning betray that the beginning was changed.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    hash::{Hash, Hasher},
};

use bytes::Bytes;

use super::{
    cursor::Cursor,
    log::{Rule, Violation},
    message::{Before, Track},
    reply::Sent,
    settings::Settings,
};
use crate::scenario::{Scenario, find_tag};

/// So many requests are known by their digest: some 300 bytes each, and a call id and name a call.
const MAX_KNOWN: usize = 16_384;
/// So many are kept whole, one for each conversation that goes on at the same time.
const MAX_RECENT: usize = 16;
/// And so many bytes of them in all.
const MAX_RECENT_BYTES: usize = 32 * 1024 * 1024;

/// What each call's id begins with; the simulator's mark follows, and an underscore.
const CALL: &str = "call_";
/// So many hexadecimal digits tell one simulator from another.
const MARK_DIGITS: usize = 6;

/// A request up to its last message: length and digest.
pub(super) type Key = (usize, u64);

/// Which scenario a conversation plays: its number, and the number in its tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Play {
    pub(super) scenario: Option<usize>,
    pub(super) rounds: u32,
}

/// A place in a conversation from which a check can go on.
#[derive(Clone, Debug, Default)]
struct Place {
    track: Track,
    play: Play,
    /// The fields before the messages.
    settings: Settings,
}

#[derive(Debug, Default)]
struct Known {
    tools: u64,
    sent: Option<Sent>,
    /// Tries so far, for each form of the fields behind the messages.
    attempts: Vec<(u64, u32)>,
}

/// A request that keeps to the rules.
#[derive(Debug)]
pub(super) struct Accepted {
    pub(super) key: Key,
    pub(super) track: Track,
    pub(super) play: Play,
    pub(super) settings: Settings,
    /// How many of its bytes an earlier request had.
    pub(super) former: usize,
    /// A digest of what stands behind the messages.
    pub(super) tail: u64,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    known: HashMap<Key, Known>,
    order: VecDeque<Key>,
    recent: VecDeque<(Bytes, Place)>,
    /// Conversations (by their start) in which reasoning was refused.
    refused: HashSet<u64>,
    /// What the ids of this server's calls begin with.
    call_prefix: String,
    good_tools: u64,
}

impl Book {
    /// An empty one. `mark` tells this simulator from others.
    pub(super) fn new(mark: u64) -> Self {
        Self {
            call_prefix: format!("{CALL}{:06x}_", mark & 0x00ff_ffff),
            ..Self::default()
        }
    }

    pub(super) fn call_prefix(&self) -> &str {
        &self.call_prefix
    }

    /// Checks a request and remembers it if it is good.
    pub(super) fn take(
        &mut self,
        body: &Bytes,
        text: &str,
        scenarios: &[Scenario],
    ) -> Result<Accepted, Violation> {
        let json = |words: String| Violation::new(Rule::Json, words);
        let base = self.longest_recent(body);
        let mut place = if let Some((_, place)) = base.and_then(|base| self.recent.get(base)) {
            place.clone()
        } else {
            self.head(text)?
        };
        let mut former = base.map(|_| (place.track.len, place.track.hash.finish()));
        let mut cursor = Cursor::new(text, place.track.len);
        let mut replies_since = 0;
        let mut asked_since = false;
        let mut foreign = false;
        loop {
            if cursor.eat(b']') {
                break;
            }
            if place.track.messages > 0 {
                cursor.expect(b',').map_err(json)?;
            }
            let raw = cursor.value().map_err(json)?;
            let bytes = text.get(place.track.len..cursor.at()).unwrap_or_default();
            let replies = place.track.replies;
            foreign |= self.is_foreign(raw);
            let before = Before {
                sent: former
                    .filter(|_| replies_since == 0 && !foreign)
                    .and_then(|key| self.known.get(&key)?.sent.as_ref()),
                reasoning_refused: self.refused.contains(&place.track.start),
            };
            place.track.message(raw, bytes, &before)?;
            if place.track.replies > replies {
                replies_since += 1;
                let known = former.is_some() && !foreign;
                self.check_origin(raw, &place.track, known, replies_since)?;
            }
            if let Some(asked) = place.track.asked.take() {
                asked_since = true;
                place.play = choose(scenarios, &asked);
            }
            let key = (place.track.len, place.track.hash.finish());
            if self.known.contains_key(&key) {
                former = Some(key);
                replies_since = 0;
                asked_since = false;
                foreign = false;
            }
        }
        let behind = cursor.at();
        let mut settings = place.settings;
        fields_behind(&mut cursor, &mut settings, self.good_tools)?;
        place.track.check_end()?;
        settings.check()?;
        self.good_tools = settings.tools;
        let refused = self.refused.contains(&place.track.start);
        if let Some(known) = former.and_then(|key| self.known.get(&key))
            && known.tools != settings.tools
            && !asked_since
            && !refused
        {
            let words = "the tools changed within a run";
            return Err(Violation::new(Rule::Tools, words));
        }
        let mut tail = std::hash::DefaultHasher::new();
        text.get(behind..).unwrap_or_default().hash(&mut tail);
        let accepted = Accepted {
            key: (place.track.len, place.track.hash.finish()),
            track: place.track.clone(),
            play: place.play,
            settings,
            former: former.map_or(0, |(len, _)| len),
            tail: tail.finish(),
        };
        self.remember(accepted.key, settings.tools, base, body, place);
        Ok(accepted)
    }

    /// Counts a try of this very request; gives its number, from 1.
    pub(super) fn attempt(&mut self, accepted: &Accepted) -> u32 {
        let Some(known) = self.known.get_mut(&accepted.key) else {
            return 1;
        };
        let same = |(tail, _): &&mut (u64, u32)| *tail == accepted.tail;
        if let Some((_, count)) = known.attempts.iter_mut().find(same) {
            *count += 1;
            return *count;
        }
        known.attempts.push((accepted.tail, 1));
        1
    }

    /// Remembers what a request is answered with. A good reply ends the counting of tries, so that
    /// the same conversation can be had again.
    pub(super) fn sent(&mut self, key: Key, sent: Sent) {
        if let Some(known) = self.known.get_mut(&key) {
            if sent.whole {
                known.attempts.clear();
            }
            known.sent = Some(sent);
        }
    }

    /// Whether reasoning was refused in the conversation that starts so.
    pub(super) fn is_refused(&self, start: u64) -> bool {
        self.refused.contains(&start)
    }

    /// Says whether it was: from then on the client may send the history anew, without reasoning.
    pub(super) fn set_refused(&mut self, start: u64, refused: bool) {
        if refused {
            self.refused.insert(start);
        } else {
            self.refused.remove(&start);
        }
    }

    fn longest_recent(&self, body: &Bytes) -> Option<usize> {
        self.recent
            .iter()
            .enumerate()
            .filter(|(_, (known, place))| {
                known
                    .get(..place.track.len)
                    .is_some_and(|prefix| body.starts_with(prefix))
            })
            .max_by_key(|(_, (_, place))| place.track.len)
            .map(|(index, _)| index)
    }

    /// Takes the fields before the messages.
    fn head(&self, text: &str) -> Result<Place, Violation> {
        let json = |words: String| Violation::new(Rule::Json, words);
        let mut cursor = Cursor::new(text, 0);
        let mut place = Place::default();
        cursor.expect(b'{').map_err(json)?;
        loop {
            let key = cursor.key().map_err(json)?;
            if key == "messages" {
                break;
            }
            let raw = cursor.value().map_err(json)?;
            place.settings.field(&key, raw, self.good_tools)?;
            if cursor.eat(b'}') {
                let words = "there are no messages";
                return Err(Violation::new(Rule::Messages, words));
            }
            cursor.expect(b',').map_err(json)?;
        }
        cursor.expect(b'[').map_err(json)?;
        let head = text.get(..cursor.at()).unwrap_or_default();
        place.track.hash.write(head.as_bytes());
        place.track.len = head.len();
        Ok(place)
    }

    /// Whether a message makes calls with the mark of another simulator.
    fn is_foreign(&self, raw: &str) -> bool {
        raw.contains("\"tool_calls\"")
            && !raw.contains(&self.call_prefix)
            && raw.match_indices(CALL).any(|(at, _)| {
                let mark = raw.get(at + CALL.len()..).unwrap_or_default();
                let digits = mark.bytes().take_while(u8::is_ascii_hexdigit).count();
                digits == MARK_DIGITS && mark.as_bytes().get(digits) == Some(&b'_')
            })
    }

    /// A reply in the history must follow an earlier request, as its answer.
    fn check_origin(
        &self,
        raw: &str,
        track: &Track,
        known: bool,
        since: u32,
    ) -> Result<(), Violation> {
        let changed = if known {
            since > 1 && !self.refused.contains(&track.start)
        } else {
            raw.contains(&self.call_prefix)
        };
        if !changed {
            return Ok(());
        }
        Err(Violation::new(
            Rule::Prefix,
            format!(
                "messages[{}]: what stands before it isn't what an earlier request held, byte for byte",
                track.messages.saturating_sub(1)
            ),
        ))
    }

    fn remember(&mut self, key: Key, tools: u64, base: Option<usize>, body: &Bytes, place: Place) {
        self.known
            .entry(key)
            .or_insert_with(|| {
                self.order.push_back(key);
                Known::default()
            })
            .tools = tools;
        while self.order.len() > MAX_KNOWN
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        if let Some(base) = base {
            self.recent.remove(base);
        }
        self.recent.push_back((body.clone(), place));
        while self.recent.len() > MAX_RECENT || self.recent_bytes() > MAX_RECENT_BYTES {
            self.recent.pop_front();
        }
    }

    fn recent_bytes(&self) -> usize {
        self.recent.iter().map(|(body, _)| body.len()).sum()
    }
}

/// Takes the fields behind the messages, up to the body's end.
fn fields_behind(
    cursor: &mut Cursor<'_>,
    settings: &mut Settings,
    good_tools: u64,
) -> Result<(), Violation> {
    let json = |words: String| Violation::new(Rule::Json, words);
    while !cursor.eat(b'}') {
        cursor.expect(b',').map_err(json)?;
        let key = cursor.key().map_err(json)?;
        let raw = cursor.value().map_err(json)?;
        if key == "messages" {
            return Err(json("there are two lists of messages".to_owned()));
        }
        settings.field(&key, raw, good_tools)?;
    }
    if cursor.at_end() {
        Ok(())
    } else {
        Err(json(format!("something follows byte {}", cursor.at())))
    }
}

/// The scenario whose tag comes first in the text; without one, the first that needs none.
fn choose(scenarios: &[Scenario], asked: &str) -> Play {
    let tagged = scenarios
        .iter()
        .enumerate()
        .filter_map(|(index, scenario)| {
            let (at, rounds) = find_tag(asked, scenario.tag.as_deref()?)?;
            Some((at, index, rounds))
        })
        .min();
    match tagged {
        Some((_, index, rounds)) => Play {
            scenario: Some(index),
            rounds,
        },
        None => Play {
            scenario: scenarios.iter().position(|scenario| scenario.tag.is_none()),
            rounds: 0,
        },
    }
}

#[cfg(test)]
mod tests;
