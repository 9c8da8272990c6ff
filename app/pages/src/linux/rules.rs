//! What a page may not do, said to WebKit: its settings, and a no to whatever it asks for.

use webkit2gtk::{
    PermissionRequest, PermissionRequestExt as _, ScriptDialog, ScriptDialogType, SettingsExt as _,
    TLSErrorsPolicy, UserContentInjectedFrames, UserContentManagerExt as _, UserScript,
    UserScriptInjectionTime, WebContextExt as _, WebView, WebViewExt as _,
    WebsiteDataManagerExt as _,
};

use crate::read::{NOTE_TYPING, WORLD};

/// Sets what holds for a view from its first load on.
pub(super) fn apply(view: &WebView) {
    if let Some(settings) = view.settings() {
        settings.set_enable_developer_extras(false);
        settings.set_allow_file_access_from_file_urls(false);
        settings.set_allow_universal_access_from_file_urls(false);
        settings.set_allow_top_navigation_to_data_urls(false);
        settings.set_allow_modal_dialogs(false);
        settings.set_disable_web_security(false);
        settings.set_javascript_can_access_clipboard(false);
        settings.set_javascript_can_open_windows_automatically(false);
        settings.set_enable_write_console_messages_to_stdout(false);
        settings.set_enable_dns_prefetching(false);
        settings.set_enable_fullscreen(false);
        settings.set_enable_media_stream(false);
        settings.set_enable_webrtc(false);
        settings.set_media_playback_requires_user_gesture(true);
    }
    if let Some(method) = view.input_method_context() {
        // wry turns it off; with it off the words being composed are not seen in the page.
        webkit2gtk::InputMethodContextExt::set_enable_preedit(&method, true);
    }
    if let Some(context) = view.context() {
        context.set_automation_allowed(false);
        if let Some(data) = context.website_data_manager() {
            data.set_tls_errors_policy(TLSErrorsPolicy::Fail);
            data.set_persistent_credential_storage_enabled(false);
        }
    }
    if let Some(content) = view.user_content_manager() {
        content.add_script(&UserScript::for_world(
            NOTE_TYPING,
            UserContentInjectedFrames::TopFrame,
            UserScriptInjectionTime::Start,
            WORLD,
            &[],
            &[],
        ));
    }
    refuse(view);
}

/// Says no to all that a page may ask for.
fn refuse(view: &WebView) {
    view.connect_permission_request(|_, request: &PermissionRequest| {
        request.deny();
        true
    });
    view.connect_script_dialog(|_, dialog| answer(dialog));
    view.connect_authenticate(|_, request| {
        webkit2gtk::AuthenticationRequestExt::cancel(request);
        true
    });
    view.connect_run_color_chooser(|_, request| {
        webkit2gtk::ColorChooserRequestExt::cancel(request);
        true
    });
    view.connect_run_file_chooser(|_, request| {
        webkit2gtk::FileChooserRequestExt::cancel(request);
        true
    });
    view.connect_print(|_, _| true);
    view.connect_enter_fullscreen(|_| true);
    view.connect_show_notification(|_, _| true);
    // Its entries would search the web, look into the page and open windows.
    view.connect_context_menu(|_, _, _, _| true);
}

/// Answers a page's dialog without showing it, so that it can neither cover the window nor wait.
fn answer(dialog: &ScriptDialog) -> bool {
    match dialog.dialog_type() {
        ScriptDialogType::Confirm => dialog.confirm_set_confirmed(false),
        // The window has asked before, where something would be lost.
        ScriptDialogType::BeforeUnloadConfirm => dialog.confirm_set_confirmed(true),
        _ => {}
    }
    true
}
