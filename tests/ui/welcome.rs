//! The first page.

use egui_kittest::kittest::Queryable as _;

use crate::harness::{Setup, View};
use crate::pictures::picture;

#[test]
fn the_first_page_says_what_to_try_at_every_size() {
    for setup in Setup::all() {
        let mut view = View::open(setup);
        view.get_by_label_contains("exec --simulate");
        picture(&mut view, &format!("welcome-{}", setup.name()));
    }
}
