//! What a release is made of: a committed lock file, and no port for driving the window.

use toml::Table;

use crate::tree;

const INSPECTION: &str = "inspection";

/// Whether a build without flags would have the inspection port.
fn has_inspection(manifest: &Table) -> bool {
    let lists = |value: Option<&toml::Value>, name: &str| -> bool {
        value
            .and_then(|value| value.get(name))
            .and_then(toml::Value::as_array)
            .is_some_and(|list| {
                list.iter()
                    .filter_map(toml::Value::as_str)
                    .any(|entry| entry.ends_with(INSPECTION))
            })
    };
    let dependencies = manifest
        .get("workspace")
        .and_then(|workspace| workspace.get("dependencies"))
        .into_iter()
        .chain(manifest.get("dependencies"))
        .filter_map(toml::Value::as_table)
        .flat_map(Table::values);
    lists(manifest.get("features"), "default")
        || dependencies
            .into_iter()
            .any(|dependency| lists(Some(dependency), "features"))
}

#[test]
fn a_release_has_no_inspection_port() {
    for path in [
        "Cargo.toml",
        "app/Cargo.toml",
        "app/pages/Cargo.toml",
        "tests/Cargo.toml",
        "tests/benches/Cargo.toml",
    ] {
        let manifest: Table = tree::text(path).parse().unwrap();
        assert!(!has_inspection(&manifest), "{path}");
    }
}

#[test]
fn the_lock_file_is_kept() {
    assert!(tree::text("Cargo.lock").contains("name = \"wisp-engine\""));
    assert!(!tree::text(".gitignore").contains("Cargo.lock"));
}

#[test]
fn a_port_that_slips_in_is_seen() {
    for bad in [
        "[features]\ndefault = [\"inspection\"]\n",
        "[features]\ndefault = [\"eframe/inspection\"]\n",
        "[dependencies]\neframe = { version = \"0.37\", features = [\"glow\", \"inspection\"] }\n",
        "[workspace.dependencies]\neframe = { version = \"0.37\", features = [\"inspection\"] }\n",
    ] {
        assert!(has_inspection(&bad.parse().unwrap()), "{bad}");
    }
    let good = "[features]\ndefault = []\ninspection = [\"eframe/inspection\"]\n";
    assert!(!has_inspection(&good.parse().unwrap()));
}
