//! Tags: how a user's message names the scenario to play.

/// Looks for `tag` in `text`: where it starts, and the number that stands for the tag's `N`.
pub(crate) fn find(text: &str, tag: &str) -> Option<(usize, u32)> {
    let Some((front, back)) = numbered(tag) else {
        return text.find(tag).map(|at| (at, 0));
    };
    text.match_indices(front).find_map(|(at, _)| {
        let rest = text.get(at + front.len()..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest.get(..digits)?.parse().ok()?;
        rest.get(digits..)?
            .starts_with(back)
            .then_some((at, number))
    })
}

/// The parts around the `N` of a numbered tag: `[bench:` and `]`.
fn numbered(tag: &str) -> Option<(&str, &str)> {
    let front = tag.strip_suffix("N]")?;
    front.ends_with(':').then_some((front, "]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_tag_is_found_where_it_stands() {
        assert_eq!(find("go [demo:multi] now", "[demo:multi]"), Some((3, 0)));
        assert_eq!(find("go [demo:mult] now", "[demo:multi]"), None);
    }

    #[test]
    fn a_numbered_tag_gives_its_number() {
        assert_eq!(find("[bench:100]", "[bench:N]"), Some((0, 100)));
        assert_eq!(find("[bench:] [bench:7]", "[bench:N]"), Some((9, 7)));
        assert_eq!(find("[bench:N]", "[bench:N]"), None);
        assert_eq!(find("[bench:7", "[bench:N]"), None);
        assert_eq!(find("[bench:99999999999]", "[bench:N]"), None);
    }
}
