//! A web server on this computer whose answers a test chooses.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What is answered to a request.
pub(crate) struct Answer {
    status: &'static str,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    /// A page.
    pub(crate) fn page(html: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", html.into())
    }

    /// Anything.
    pub(crate) fn bytes(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: "200 OK",
            headers: vec![("Content-Type".to_owned(), kind.to_owned())],
            body: body.into(),
        }
    }

    /// A redirect.
    pub(crate) fn to(place: &str) -> Self {
        Self {
            status: "302 Found",
            headers: vec![("Location".to_owned(), place.to_owned())],
            body: Vec::new(),
        }
    }

    /// Not there.
    pub(crate) fn nothing() -> Self {
        Self {
            status: "404 Not Found",
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// With a header more.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// A request's path with its query, and its headers in lower case.
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: String,
}

/// The server. Its threads end with the test's process.
pub(crate) struct Server {
    port: u16,
    scheme: &'static str,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves what this answers.
    pub(crate) fn start(answers: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        Self::serve("http", answers, Some)
    }

    /// Serves it under a certificate that nobody trusts.
    pub(crate) fn start_untrusted() -> Self {
        let certificate = include_bytes!("untrusted.crt.der").to_vec().into();
        let key = include_bytes!("untrusted.key.der").to_vec();
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let config = rustls::ServerConfig::builder_with_provider(provider.into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate],
                rustls::pki_types::PrivatePkcs8KeyDer::from(key).into(),
            )
            .unwrap();
        let config = Arc::new(config);
        Self::serve(
            "https",
            |_| Answer::page("<title>never seen</title>"),
            move |stream| {
                let connection = rustls::ServerConnection::new(config.clone()).ok()?;
                Some(rustls::StreamOwned::new(connection, stream))
            },
        )
    }

    fn serve<S: Read + Write>(
        scheme: &'static str,
        answers: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
        wrap: impl Fn(TcpStream) -> Option<S> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (both, notes) = (Arc::new((answers, wrap)), asked.clone());
        thread::Builder::new()
            .name("server".to_owned())
            .spawn(move || {
                for stream in listener.incoming().map_while(Result::ok) {
                    let (both, notes) = (both.clone(), notes.clone());
                    thread::Builder::new()
                        .name("request".to_owned())
                        .spawn(move || {
                            stream
                                .set_read_timeout(Some(Duration::from_secs(30)))
                                .unwrap();
                            if let Some(stream) = both.1(stream) {
                                respond(stream, &both.0, &notes);
                            }
                        })
                        .unwrap();
                }
            })
            .unwrap();
        Self {
            port,
            scheme,
            asked,
        }
    }

    /// The address of a path here.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://127.0.0.1:{}{path}", self.scheme, self.port)
    }

    /// Paths that were asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// An address where nobody answers.
pub(crate) fn nobody() -> String {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    format!("http://127.0.0.1:{port}/")
}

fn respond(
    stream: impl Read + Write,
    answers: &impl Fn(&Asked) -> Answer,
    notes: &Mutex<Vec<String>>,
) {
    let mut stream = BufReader::new(stream);
    let mut first = String::new();
    if stream.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let mut headers = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        headers.push_str(&line.to_ascii_lowercase());
    }
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    notes.lock().unwrap().push(path.clone());
    let answer = answers(&Asked { path, headers });
    let mut head = format!(
        "HTTP/1.1 {}\r\nContent-Length: {}\r\nConnection: close\r\n",
        answer.status,
        answer.body.len()
    );
    for (name, value) in &answer.headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.push_str("\r\n");
    // A page may have gone away in between.
    let stream = stream.get_mut();
    let written = stream.write_all(head.as_bytes());
    drop(written.and_then(|()| stream.write_all(&answer.body)));
    drop(stream.flush());
}
