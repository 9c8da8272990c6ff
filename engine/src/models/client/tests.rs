use super::*;

fn settings(base_url: &str, key: Option<&str>) -> ModelSettings {
    ModelSettings::new(base_url, key.map(str::to_owned), "m")
}

fn kind(settings: ModelSettings) -> Option<FailureKind> {
    ModelClient::new(settings, Redactor::default())
        .err()
        .map(|failure| failure.kind)
}

#[test]
fn wrong_settings_fail_before_any_request() {
    assert_eq!(
        kind(settings("nonsense", None)),
        Some(FailureKind::Settings)
    );
    let far = "https://api.deepseek.com";
    assert_eq!(kind(settings(far, None)), Some(FailureKind::Authentication));
    assert_eq!(
        kind(settings(far, Some("  "))),
        Some(FailureKind::Authentication)
    );
    assert_eq!(
        kind(settings(far, Some("k\ney"))),
        Some(FailureKind::Settings)
    );
    assert_eq!(kind(settings("http://localhost:1", None)), None);
    assert_eq!(
        kind(settings("http://192.168.1.7:1", None)),
        Some(FailureKind::Authentication)
    );
    let mut no_model = settings("http://localhost:1", None);
    no_model.model = " ".into();
    assert_eq!(kind(no_model), Some(FailureKind::Settings));
    let mut unknown = settings("http://localhost:1", None);
    unknown.provider = Some("nobody".into());
    let failure = ModelClient::new(unknown, Redactor::default()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Settings);
    assert!(failure.advice.contains("deepseek"), "{failure}");
}

#[test]
fn the_provider_is_the_hosts_unless_it_is_set() {
    let name = |base_url: &str, provider: Option<&str>| {
        let mut settings = settings(base_url, Some("sk-key"));
        settings.provider = provider.map(str::to_owned);
        ModelClient::new(settings, Redactor::default())
            .unwrap()
            .provider()
            .name
    };
    assert_eq!(name("https://api.deepseek.com/v1", None), "deepseek");
    assert_eq!(name("http://localhost:1", None), "other");
    assert_eq!(name("http://localhost:1", Some("deepseek")), "deepseek");
}

#[test]
fn a_client_never_prints_its_key() {
    let client = ModelClient::new(
        settings("http://localhost:1", Some("sk-secret")),
        Redactor::default(),
    );
    let printed = format!("{:?}", client.unwrap());
    assert!(!printed.contains("sk-secret"), "{printed}");
}
