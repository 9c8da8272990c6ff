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
    /// Names of commands.
    commands: CommandWords {
        new_session, open_folder, search_sessions, find_in_session, palette, go_to_approval, focus_message, stop_run,
        rename_session, delete_session, next_session, previous_session, next_run, previous_run, to_end, copy_reply,
        page_back, page_forward, next_pane, toggle_sidebar, zoom_in, zoom_out, zoom_reset, toggle_theme, toggle_contrast, toggle_language,
        settings, shortcuts, about, qa, quit,
    }
    /// The conversation.
    chat: ChatWords {
        title, you, answer, message, message_hint, queue_hint, helper_hint, send, queue, stop, stop_again,
        attach_text, remove, queued, send_now, edit, step, earlier_process, single_call, tools_one, tools_many,
        waits_for_you, running, queued_call, failed, denied, cancelled, unknown, never_run, done, asked, thinking,
        writing, calling, waiting, retrying, new_below_one, new_below_many, to_end, no_dialog, empty_title, empty_folder,
        empty_no_folder, choose_folder, change_folder, drop_here, arguments, result, reason, note, you_approved,
        you_denied, find, find_count, find_none, rounds, loading, reading_failed, steps_one, steps_many, tokens,
        context, context_share, context_unknown, tokens_in, tokens_cached, tokens_out, of_window, last_request,
        whole_session, cached_share, starting, no_usage,
    }
    /// Approval cards and the cards at the end of a run.
    card: CardWords {
        label, approve, deny, details, less, why, send_denial, once, once_place, position, waits, answered,
        where_it_is, go_to, write, replace, make_folder, move_to, trash, other, content, digest, bytes, from, to,
        entries, warning, budget_title, budget_text, go_on, go_on_text, guard_title, guard_text, failed_title, kept,
        side_effects, again, edit_again, cancelled_title, interrupted_title, interrupted_text, open_settings,
    }
    /// Classes of failure, for a person.
    failure: FailureWords {
        authentication, quota, rate_limit, overload, context_length, content_filter, broken_stream, idle, network,
        bad_request, model_not_found, empty_reply, output_limit, settings, folder, store, store_newer, store_locked,
        not_found, busy, bad_submission, internal, other,
    }
    /// The sidebar.
    sidebar: SidebarWords {
        label, search_hint, no_sessions, no_hits, other_folder, untitled, deleted, running, asks, menu, new_here,
        busy_delete,
    }
    /// Web pages.
    pages: PageWords {
        open_card, address, address_hint, back, forward, reload, stop, more, find, find_next, find_previous, found, found_none,
        zoom_in, zoom_out, zoom_reset, outside, copy_address, loading, page, not_alive, load, failed_address,
        failed_address_text, failed_name, failed_name_text, failed_refused, failed_refused_text, failed_timeout,
        failed_timeout_text, failed_certificate, failed_certificate_text, failed_redirects, failed_redirects_text,
        failed_crashed, failed_crashed_text, failed_host, failed_host_text, failed_other, failed_other_text, stays, go_on,
        leave_title, leave_text, leave_tool, keep, leave, download_title, download_text, download, download_no,
        downloaded, not_downloaded,
    }
    /// The tabs at the right.
    preview: PreviewWords {
        label, tabs, all_tabs, new, unsaved, close_this, file_kind, folder_kind, page_kind, change_kind,
        to_chat, full, no_session, toggle, new_tab, close_tab, reopen_tab, next_tab, previous_tab, tab_1,
        tab_2, tab_3, tab_4, tab_5, tab_6, tab_7, tab_8, tab_last, address, reload, find, find_next,
        find_previous, go_to_line, edit, save, previous_pane, address_hint, address_wrong, go, browse,
        recent, loading, failed, binary, too_large_text, too_large_picture, picture_broken, link, special,
        is_folder, read_only, mixed_ends, copy_path, lines_one, lines_many, find_hint, found, found_many,
        found_none, looking, line_hint, edit_done, edit_too_large, edit_read_only, saving, saved, conflict,
        conflict_gone, take_theirs, write_over, close_dirty, close_dirty_text, leave_dirty, quit_dirty,
        quit_dirty_one, quit_dirty_many, keep_editing, discard, picture_size, fit, actual, larger, smaller,
        tree, more_entries, change_gone, open_file, open_change, group,
    }
    /// Small questions.
    dialogs: DialogWords { open_link, open_link_text, open_outside }
    /// The QA panel.
    qa: QaWords { live, sample, live_text, sample_text, banner, sample_reply, needs_simulation, start_simulation, run, run_by_itself, run_all, stop, export, exported, again, show_chat, show_result, prompt, files, what, expected, seen, expects, expect_outcome, expect_requests, expect_calls, expect_answer, expect_files, violations, no_violations, passed, failed, preparing, running, checking, summary, summary_text, picture, s_replace, s_write, s_mkdir, s_move, s_trash, s_open_page, s_read_page, s_tab_action, s_two_cards, s_hostile, s_search, s_list, s_json, s_text, s_markdown, s_notices, s_budget, s_guard, s_failed_settings, s_failed_kept, s_failed_changed, s_failed_each, s_failed_calls, s_unreadable, s_interrupted, s_cancelled, s_waiting, s_retry, s_thinking, s_calling, s_many_calls, s_large_message, s_long_line }
    /// The page of settings and the page of keys.
    settings: SettingsWords {
        model_section, runs_section, appearance_section, keyboard_section, data_section, base_url,
        base_url_hint, provider, provider_hint, automatic, other, model, model_hint, key, key_hint, key_show,
        key_hide, key_save, key_remove, key_none, key_environment, key_in_settings, key_in_store, key_in_file,
        key_not_needed, fixed, of_simulation, bad_address, bad_whole, bad_key, steps, steps_hint, idle,
        idle_hint, tries, tries_hint, theme, system, dark, light, contrast, on, off, language, zoom, motion,
        send_with, send_enter_hint, send_mod_hint, all_keys, data_folder, settings_file, copy_path,
        broken_title, broken_text, move_aside, moved_aside, not_kept, filter, clear, group_session, group_chat,
        group_window, group_program, group_card, group_message, card_others, card_leave, new_line, history,
        stop_twice, twice, no_keys,
    }
    /// The first look.
    welcome: WelcomeWords {
        title, what, simulate, simulate_text, model, model_text, model_ready, running_title, running_text,
        go_on, go_on_text, leave, start, starting, key_kept, key_missing,
    }
    /// What this program is.
    about: AboutWords {
        version, what, licence, licence_text, fonts, syntaxes, syntaxes_text, texts, data, by,
    }
}
