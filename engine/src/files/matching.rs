//! Finds a piece of text in a file exactly once and puts another in its place. Pure.
//!
//! The difference of CRLF and LF doesn't count for finding. Everything outside the piece keeps its
//! bytes; new lines in it end as the lines around do.

use std::collections::HashMap;

use super::text::LineEnd;

/// Places that are counted before the search ends: enough to say that there are many.
const MANY_HITS: usize = 100;
/// Lines that are named when a piece occurs more than once.
const NAMED_LINES: usize = 8;
/// Lines of a piece that is nowhere that are looked for as parts of other lines. Each takes a walk
/// through the whole text; with more of them a large text and a large piece would take seconds.
const PARTS_LOOKED_FOR: usize = 50;
/// The first of the characters that stand for lines: from here on all have the same length.
const FIRST_SIGN: u32 = 0x1_0000;

/// Why nothing is replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// Nowhere. Perhaps with what is nearest, in words.
    Nowhere {
        /// A sentence that helps.
        hint: String,
    },
    /// More than once.
    Often {
        /// How often, in words.
        count: String,
        /// Where, in words.
        lines: String,
    },
}

/// The text with the one occurrence of `old` replaced by `new`. None of them begins with a byte
/// order mark.
pub(crate) fn replace_once(text: &str, old: &str, new: &str) -> Result<String, Mismatch> {
    let old = old.replace("\r\n", "\n");
    let new = new.replace("\r\n", "\n");
    let plain = text.replace("\r\n", "\n");
    let hits = overlapping(&plain, &old);
    let at = match hits.as_slice() {
        [] => {
            return Err(Mismatch::Nowhere {
                hint: hint(&plain, &old),
            });
        }
        [at] => *at,
        _ => return Err(often(&plain, &hits)),
    };
    // What both pieces begin and end with stays as it is, line ends included.
    let head = common_prefix(&old, &new);
    let tail = common_prefix_back(part(&old, head, old.len()), part(&new, head, new.len()));
    let start = original_offset(text, at + head);
    let end = original_offset(text, at + old.len() - tail);
    let middle = part(&new, head, new.len() - tail);
    let hit_start = original_offset(text, at);
    let hit_end = original_offset(text, at + old.len());
    let line_end = line_end_around(text, (hit_start, hit_end), end);
    let mut out = String::with_capacity(text.len() + new.len());
    out.push_str(part(text, 0, start));
    match line_end {
        Some(LineEnd::Crlf) => out.push_str(&middle.replace('\n', "\r\n")),
        _ => out.push_str(middle),
    }
    out.push_str(part(text, end, text.len()));
    Ok(out)
}

fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

fn overlapping(text: &str, piece: &str) -> Vec<usize> {
    let step = piece.chars().next().map_or(1, char::len_utf8);
    let mut hits = Vec::new();
    let mut from = 0;
    while hits.len() < MANY_HITS
        && let Some(at) = text.get(from..).and_then(|rest| rest.find(piece))
    {
        hits.push(from + at);
        from += at + step;
    }
    hits
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.chars()
        .zip(b.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

fn common_prefix_back(a: &str, b: &str) -> usize {
    a.chars()
        .rev()
        .zip(b.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

/// Where an offset of the text with plain line ends is in the text itself. In front of a line end
/// is in front of all of it.
fn original_offset(text: &str, plain: usize) -> usize {
    let mut passed = 0;
    let mut offset = 0;
    for line in text.split_inclusive("\r\n") {
        let shrink = usize::from(line.ends_with("\r\n"));
        let length = line.len() - shrink;
        if plain < passed + length {
            return offset + (plain - passed);
        }
        passed += length;
        offset += line.len();
    }
    offset
}

/// How new lines end: like those in the hit if they agree, else like the line that goes on after the
/// change, else like the one before it. `None` where the text has no line end at all.
fn line_end_around(text: &str, hit: (usize, usize), end: usize) -> Option<LineEnd> {
    let inside = super::text::LineEnds::of(part(text, hit.0, hit.1));
    match (inside.lf, inside.crlf) {
        (1.., 0) => return Some(LineEnd::Lf),
        (0, 1..) => return Some(LineEnd::Crlf),
        _ => {}
    }
    let kind = |newline: usize| {
        if part(text, 0, newline).ends_with('\r') {
            LineEnd::Crlf
        } else {
            LineEnd::Lf
        }
    };
    let after = part(text, end, text.len()).find('\n').map(|at| end + at);
    after.or_else(|| part(text, 0, end).rfind('\n')).map(kind)
}

fn line_of(text: &str, offset: usize) -> usize {
    part(text, 0, offset).matches('\n').count() + 1
}

fn often(plain: &str, hits: &[usize]) -> Mismatch {
    let mut lines: Vec<(usize, usize)> = Vec::new();
    for &hit in hits {
        let line = line_of(plain, hit);
        match lines.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => lines.push((line, 1)),
        }
    }
    let mut named: Vec<String> = lines
        .iter()
        .take(NAMED_LINES)
        .map(|(line, count)| match count {
            1 => format!("L{line}"),
            count => format!("L{line} ×{count}"),
        })
        .collect();
    if lines.len() > NAMED_LINES {
        named.push("…".to_owned());
    }
    Mismatch::Often {
        count: match hits.len() {
            MANY_HITS => format!("{MANY_HITS} times or more"),
            count => format!("{count} times"),
        },
        lines: named.join(", "),
    }
}

/// What is nearest to a piece that is nowhere.
fn hint(plain: &str, old: &str) -> String {
    const READ_AGAIN: &str = "Read the file again and copy the piece from there.";
    let lines: Vec<&str> = plain.split('\n').collect();
    let wanted: Vec<&str> = old.trim_matches('\n').split('\n').collect();
    let whole = find_lines(&lines, &wanted);
    if let Some(at) = whole.filter(|_| !old.trim().is_empty()) {
        let unlike = lines
            .iter()
            .zip(1..)
            .skip(at)
            .zip(&wanted)
            .map(|((line, number), wanted)| (number, *line, *wanted))
            .find(|(_, line, wanted)| indentation(line) != indentation(wanted));
        return match unlike {
            Some((number, line, wanted)) => format!(
                "Only the indentation differs: line {number} begins with {}, oldText has {} there. {READ_AGAIN}",
                blanks(indentation(line)),
                blanks(indentation(wanted)),
            ),
            None => format!(
                "Only blanks at line ends or empty lines around differ, from line {} on. {READ_AGAIN}",
                at + 1
            ),
        };
    }
    match nearest(plain, &lines, &wanted) {
        Some(line) => format!("The nearest place is line {}. {READ_AGAIN}", line + 1),
        None => READ_AGAIN.to_owned(),
    }
}

/// Where lines follow one another in a text, blanks at their ends aside. Each line that is wanted
/// becomes a character, so that the search takes no longer than one for a word.
fn find_lines(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    let mut signs: HashMap<&str, char> = HashMap::new();
    let mut needle = String::new();
    for line in wanted {
        let next = u32::try_from(signs.len()).ok()?.checked_add(FIRST_SIGN)?;
        let next = char::from_u32(next)?;
        needle.push(*signs.entry(line.trim()).or_insert(next));
    }
    let other = char::MAX;
    let text: String = lines
        .iter()
        .map(|line| *signs.get(line.trim()).unwrap_or(&other))
        .collect();
    Some(text.find(&needle)? / other.len_utf8())
}

/// The line that is most like one of those wanted: the first of them that is anywhere counts. The same
/// but for blanks at the ends comes before the same but for capitals, and that before a part of a line.
fn nearest(plain: &str, lines: &[&str], wanted: &[&str]) -> Option<usize> {
    let lowered = plain.to_lowercase();
    let low: Vec<String> = wanted
        .iter()
        .map(|line| line.trim().to_lowercase())
        .collect();
    let exact = first_places(wanted.iter().copied(), lines.iter().copied());
    let alike = first_places(low.iter().map(String::as_str), lowered.split('\n'));
    let part_of_a_line = |low: &str| {
        let at = lowered.find(low)?;
        Some(line_of(&lowered, at) - 1)
    };
    wanted
        .iter()
        .zip(&low)
        .filter(|(_, low)| !low.is_empty())
        .zip(0..)
        .find_map(|((line, low), number)| {
            let same = exact.get(line.trim()).or_else(|| alike.get(low.as_str()));
            same.copied().or_else(|| {
                (number < PARTS_LOOKED_FOR)
                    .then(|| part_of_a_line(low))
                    .flatten()
            })
        })
}

/// Where each of the lines wanted is first, blanks at the ends aside. Empty ones are passed over.
fn first_places<'a>(
    wanted: impl Iterator<Item = &'a str>,
    lines: impl Iterator<Item = &'a str>,
) -> HashMap<&'a str, usize> {
    let wanted = wanted.map(str::trim).filter(|line| !line.is_empty());
    let mut places: HashMap<&str, Option<usize>> = wanted.map(|line| (line, None)).collect();
    for (line, number) in lines.map(str::trim).zip(0..) {
        if !line.is_empty()
            && let Some(place) = places.get_mut(line)
        {
            place.get_or_insert(number);
        }
    }
    let found = places.into_iter();
    found
        .filter_map(|(line, place)| Some((line, place?)))
        .collect()
}

fn indentation(line: &str) -> &str {
    part(line, 0, line.len() - line.trim_start().len())
}

fn blanks(text: &str) -> String {
    let (tabs, spaces) = (text.matches('\t').count(), text.matches(' ').count());
    match (tabs, spaces) {
        (0, 0) => "no blanks".to_owned(),
        (tabs, 0) => format!("{tabs} tab(s)"),
        (0, spaces) => format!("{spaces} space(s)"),
        (tabs, spaces) => format!("{tabs} tab(s) and {spaces} space(s)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, old: &str, new: &str, expected: &str) {
        assert_eq!(replace_once(text, old, new).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn hint_of(text: &str, old: &str) -> String {
        match replace_once(text, old, "new") {
            Err(Mismatch::Nowhere { hint }) => hint,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn line_ends_do_not_count_for_finding_and_stay_outside() {
        check("a\r\nb\r\nc\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\n");
        check("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n");
        check("a\r\nb\nc\r\n", "b", "x\ny", "a\r\nx\ny\nc\r\n");
        check("a\r\nb", "b", "b\nc", "a\r\nb\r\nc");
        check("ab", "b", "b\nc", "ab\nc");
        check("a\r\nb\r\n", "a\nb\n", "", "");
        check("a\r\nb\r\n", "\nb", "b", "ab\r\n");
        check("a\r\nb\r\n", "a\n", "a", "ab\r\n");
    }

    #[test]
    fn one_stray_line_end_converts_nothing() {
        check(
            "a\nb\nstray\r\nc\nd\n",
            "d",
            "d\ne",
            "a\nb\nstray\r\nc\nd\ne\n",
        );
        check("a\nb\r\nc\nd\n", "b\nc", "b\nx\nc", "a\nb\r\nx\r\nc\nd\n");
    }

    #[test]
    fn hits_that_overlap_count() {
        let often = |text: &str, old: &str| match replace_once(text, old, "x") {
            Err(Mismatch::Often { count, lines }) => (count, lines),
            other => panic!("{other:?}"),
        };
        assert_eq!(often("aaa", "aa"), ("2 times".into(), "L1 ×2".into()));
        assert_eq!(
            often("é\né x é", "é"),
            ("3 times".into(), "L1, L2 ×2".into())
        );
        let (count, lines) = often(&"a\n".repeat(200), "a");
        assert_eq!(count, "100 times or more");
        assert!(lines.ends_with("L8, …"), "{lines}");
    }

    #[test]
    fn a_miss_names_the_nearest_place() {
        let text = "fn a() {\n\tif x {\n        y();\n}\n";
        let hint = hint_of(text, "    if x {\n        y();");
        assert!(
            hint.contains("line 2 begins with 1 tab(s), oldText has 4 space(s)"),
            "{hint}"
        );
        assert!(hint_of(text, "fn a() {  ").contains("from line 1 on"));
        assert!(hint_of(text, "y();\n  gone").contains("nearest place is line 3"));
        assert!(hint_of(text, "FN A() {").contains("nearest place is line 1"));
        assert!(hint_of("", "zzz").starts_with("Read the file again"));
        assert!(hint_of("\n\n", " \n ").starts_with("Read the file again"));
    }

    #[test]
    fn parts_of_lines_are_looked_for_up_to_a_limit() {
        let piece = |unlike: usize| format!("{}part", "unlike\n".repeat(unlike));
        let text = "zero\na part of it";
        assert!(hint_of(text, &piece(PARTS_LOOKED_FOR - 1)).contains("line 2"));
        assert!(hint_of(text, &piece(PARTS_LOOKED_FOR)).starts_with("Read the file again"));
        // Whole lines have none.
        assert!(hint_of("zero\n PART", &piece(PARTS_LOOKED_FOR)).contains("line 2"));
    }

    /// The largest text with the largest piece, in ways that once took long.
    #[test]
    fn a_hint_never_takes_long() {
        let numbered = |name: &str, count: usize| -> String {
            let lines: Vec<_> = (0..count).map(|line| format!("{name}{line}\n")).collect();
            lines.concat()
        };
        let (text, piece) = (200_000, 50_000);
        for (text, old) in [
            // Nothing is like anything.
            (numbered("l", text / 7), numbered("w", piece / 7)),
            ("x\n".repeat(text / 2), numbered("w", piece / 7)),
            // Each place is nearly one.
            (
                "a\n".repeat(text / 2),
                format!("{}b", " a\n".repeat(piece / 3)),
            ),
            ("\n".repeat(text), format!("x{}x", "\n".repeat(piece - 2))),
            // Each part is nearly there.
            (
                "a".repeat(text),
                format!("{}b\n", "a".repeat(500)).repeat(piece / 502),
            ),
        ] {
            let watch = crate::support::clock::Stopwatch::start();
            let _hint = hint_of(&text, &old);
            let took = watch.elapsed();
            assert!(took.as_millis() < 2_000, "{took:?}");
        }
    }

    /// A lone CR is always followed by something: in front of a line end it could not be told from a
    /// part of it.
    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("\n"),
            Just("\r\n"),
            Just("\ra"),
            Just("a"),
            Just("b"),
            Just("é")
        ];
        proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn only_the_matched_bytes_change(before in text(), hit in text(), after in text(), new in text(), other_ends: bool) {
            prop_assume!(!hit.is_empty());
            let whole = format!("{before}{hit}{after}");
            let old = if other_ends {
                hit.replace("\r\n", "\n")
            } else {
                hit.replace("\r\n", "\n").replace('\n', "\r\n")
            };
            match replace_once(&whole, &old, &new) {
                Err(Mismatch::Nowhere { .. }) => prop_assert!(false, "it is there"),
                Err(Mismatch::Often { .. }) => {
                    let plain = whole.replace("\r\n", "\n");
                    prop_assert!(overlapping(&plain, &hit.replace("\r\n", "\n")).len() > 1);
                }
                Ok(changed) => {
                    prop_assert!(changed.starts_with(&before));
                    prop_assert!(changed.ends_with(&after));
                    let middle = part(&changed, before.len(), changed.len() - after.len());
                    prop_assert_eq!(middle.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
                    let ends = crate::files::text::LineEnds::of(&whole);
                    if ends.crlf == 0 && ends.lf > 0 {
                        prop_assert!(!middle.contains("\r\n"));
                    }
                    if ends.lf == 0 && ends.crlf > 0 {
                        prop_assert_eq!(crate::files::text::LineEnds::of(middle).lf, 0);
                    }
                }
            }
        }
    }
}
