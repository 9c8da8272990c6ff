//! What the window says, by place. The values are in the language files.

macro_rules! words {
    ($($(#[$doc:meta])* $section:ident: $name:ident { $($key:ident),* $(,)? })*) => {
        /// All words of a language.
        #[derive(Debug)]
        pub struct Words {
            $($(#[$doc])* pub $section: $name,)*
        }

        impl Words {
            /// Every key and what it says, in order.
            pub fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$($((concat!(stringify!($section), ".", stringify!($key)), self.$section.$key)),*),*]
            }
        }

        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $name {
                $(#[doc = concat!("Says `", stringify!($key), "`.")] pub $key: &'static str,)*
            }
        )*
    };
}

words! {
    /// Words of every place.
    common: CommonWords {
        app, simulation, simulation_hint, close, cancel, copy, copied, retry, undo, save, delete, rename, open, more, back,
        seconds, minutes, today, yesterday, show_all, show_less, loading, nothing_here, no_folder,
    }
    /// Markdown and code blocks.
    markdown: MarkdownWords { copy_code, code_text, picture_outside, task_done, task_open }
    /// Bodies of calls: diffs, texts, hits, trees, JSON.
    body: BodyWords {
        unchanged_lines, more_lines, long_line, no_hits, empty_text, empty_folder, truncated,
        one_unchanged_line, no_change, no_newline, added, removed, diff, text, hits, files, json, folder, show_text,
    }
}
