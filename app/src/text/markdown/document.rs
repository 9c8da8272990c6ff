//! A text that grows, and its blocks.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::block::Block;
use super::parse::{Definitions, parse};
use super::scan::Scan;
use super::segment::Part;

/// A text that grows. What is finished of it is parsed once; only its unfinished end is parsed again.
///
/// Nothing is parsed before the blocks are first asked for.
#[derive(Debug, Default)]
pub struct Document {
    text: String,
    finished: bool,
    parsed: OnceCell<Parsed>,
}

#[derive(Debug)]
struct Parsed {
    generation: u64,
    scan: Scan,
    definitions: Definitions,
    committed: Vec<Block>,
    tail: OnceCell<Vec<Block>>,
}

impl Document {
    /// Adds a piece to the end.
    pub fn push(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.text.push_str(piece);
        if let Some(parsed) = self.parsed.get_mut() {
            parsed.advance(&self.text, self.finished);
        }
    }

    /// Makes this the whole text. What has been parsed is kept when the text only grew.
    pub fn set(&mut self, whole: &str) {
        if let Some(piece) = whole.strip_prefix(self.text.as_str()) {
            self.push(piece);
        } else {
            whole.clone_into(&mut self.text);
            self.parsed.take();
        }
    }

    /// Says that no more text comes.
    pub fn finish(&mut self) {
        if !self.finished {
            self.finished = true;
            if let Some(parsed) = self.parsed.get_mut() {
                parsed.advance(&self.text, true);
            }
        }
    }

    /// The text as it came in.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Its blocks. The first look parses the text, later ones what is new.
    pub fn blocks(&self) -> Blocks<'_> {
        let parsed = self.parsed.get_or_init(|| {
            let mut parsed = Parsed::new();
            parsed.advance(&self.text, self.finished);
            parsed
        });
        let tail = match parsed.scan.open_block() {
            Some(block) => std::slice::from_ref(block),
            None => parsed
                .tail
                .get_or_init(|| parsed.parse_tail(&self.text, self.finished)),
        };
        Blocks {
            generation: parsed.generation,
            committed: &parsed.committed,
            tail,
        }
    }
}

impl Parsed {
    fn new() -> Self {
        static GENERATIONS: AtomicU64 = AtomicU64::new(1);
        Self {
            generation: GENERATIONS.fetch_add(1, Ordering::Relaxed),
            scan: Scan::default(),
            definitions: Definitions::default(),
            committed: Vec::new(),
            tail: OnceCell::new(),
        }
    }

    fn advance(&mut self, text: &str, finished: bool) {
        self.tail.take();
        let mut parts = Vec::new();
        self.scan.advance(text, &mut parts);
        if finished {
            self.scan.finish();
        }
        for part in parts {
            match part {
                Part::Block(block) => self.committed.push(block),
                Part::Segment(segment) => {
                    let parsed = parse(text, &segment, &self.definitions, true);
                    self.definitions.extend(parsed.definitions);
                    self.committed.extend(parsed.blocks);
                }
            }
        }
    }

    fn parse_tail(&self, text: &str, finished: bool) -> Vec<Block> {
        match self.scan.tail(text) {
            Part::Block(block) => vec![block],
            Part::Segment(segment) => parse(text, &segment, &self.definitions, finished).blocks,
        }
    }
}

/// The blocks of a document: those that stay as they are, and those of its unfinished end.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    generation: u64,
    committed: &'a [Block],
    tail: &'a [Block],
}

impl<'a> Blocks<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.committed.len() + self.tail.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many from the start stay as they are for as long as [`Self::generation`] does.
    pub fn committed(&self) -> usize {
        self.committed.len()
    }

    /// Changes when the text was replaced by another; no two documents share one.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// A block by its number from 0.
    pub fn get(&self, number: usize) -> Option<&'a Block> {
        match number.checked_sub(self.committed.len()) {
            None => self.committed.get(number),
            Some(number) => self.tail.get(number),
        }
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a Block> + use<'a> {
        self.committed.iter().chain(self.tail)
    }
}
