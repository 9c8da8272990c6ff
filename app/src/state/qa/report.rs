//! The results as a report to keep: for programs and for people.

use std::collections::BTreeMap;

use serde_json::{Value, json as value};

use super::live::LiveResult;

/// For programs: a summary and every result.
pub fn json(results: &BTreeMap<String, LiveResult>) -> Value {
    let passed = results.values().filter(|result| result.passed()).count();
    let all: Vec<Value> = results
        .iter()
        .map(|(name, result)| {
            value!({
                "scenario": name,
                "passed": result.passed(),
                "steps": result.steps,
                "millis": result.millis,
                "lines": result.report.lines,
                "violations": result.violations,
                "picture": picture_name(result),
            })
        })
        .collect();
    value!({
        "program": "wisp",
        "version": env!("CARGO_PKG_VERSION"),
        "model": wisp_qa::MODEL_NAME,
        "passed": passed,
        "failed": results.len() - passed,
        "results": all,
    })
}

/// For people: the same, with the lines that differ first to be seen.
pub fn markdown(results: &BTreeMap<String, LiveResult>) -> String {
    let passed = results.values().filter(|result| result.passed()).count();
    let mut parts = vec![format!(
        "# Wisp {}: scenarios\n\nThe real engine against the scripted model `{}`: {passed} passed, {} failed.\n",
        env!("CARGO_PKG_VERSION"),
        wisp_qa::MODEL_NAME,
        results.len() - passed,
    )];
    let mut ordered: Vec<_> = results.iter().collect();
    ordered.sort_by_key(|(_, result)| result.passed());
    for (name, result) in ordered {
        let verdict = if result.passed() { "passed" } else { "FAILED" };
        parts.push(format!(
            "\n## {name}: {verdict}\n\n{} steps, {} ms\n\n| | what | expected | seen |\n| --- | --- | --- | --- |\n",
            result.steps, result.millis
        ));
        for line in &result.report.lines {
            let mark = if line.ok { "✓" } else { "✗" };
            let [what, expected, seen] = [&line.what, &line.expected, &line.seen].map(|t| cell(t));
            parts.push(format!("| {mark} | {what} | {expected} | {seen} |\n"));
        }
        for violation in &result.violations {
            parts.push(format!("\nThe scripted model: {}\n", cell(violation)));
        }
        if let Some(name) = picture_name(result) {
            parts.push(format!("\n![the window at the failure]({name})\n"));
        }
    }
    parts.concat()
}

/// The picture's name; it is beside the report.
fn picture_name(result: &LiveResult) -> Option<String> {
    let name = result.picture.as_ref()?.file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// A text that stays within its cell.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' => cell.push_str("\\|"),
            '\n' => cell.push_str("<br>"),
            c if c.is_control() => cell.extend(c.escape_unicode()),
            c => cell.push(c),
        }
    }
    cell
}
