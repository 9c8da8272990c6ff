//! What is read of a page: what a person sees and no more, whatever the page does.

use std::fmt::Write as _;

use wisp::pages::{PageCommand, PageHost as _, PageLink, ReadFailure};

use crate::server::{Answer, Server};
use crate::stage::Stage;

fn one(html: impl Into<String>) -> Server {
    let html = html.into();
    Server::start(move |asked| match asked.path.as_str() {
        path if path.starts_with("/favicon") => Answer::nothing(),
        path if path.starts_with("/frame") => Answer::page("<p>IN A FRAME"),
        _ => Answer::page(html.clone()),
    })
}

/// Reads a page of this HTML.
fn read(html: impl Into<String>) -> Option<wisp::pages::PageText> {
    let mut stage = Stage::without_manager()?;
    let server = one(html);
    let (page, version) = stage.show(&server.url("/page?secret=1#there"));
    let read = stage.read(page, version).expect("nothing was read");
    assert_eq!(read.url, server.url("/page"));
    assert_eq!(read.version, version);
    Some(read)
}

#[test]
fn words_links_and_lines_are_read_and_nothing_hidden() {
    let html = r#"<!doctype html><meta charset=utf-8><title>The  title</title>
      <style>.gone{display:none} .clip{position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden}
        .off{position:absolute;left:-9999px} .up{position:absolute;top:-9999px}</style>
      <body><nav>OUTSIDE</nav><main><h1>A   heading</h1><p>One <b>bold</b> word.<br>A line.</p>
      <pre>  kept
   as it is</pre>
      <ul><li>first<li>second</ul><table><tr><td>a<td>b<tr><td>c<td>d</table>
      <p><a href="/next?token=1#x">Next  page</a> <a href="javascript:alert(1)">no</a>
      <a href="http://me:word@other.test/y?z">Other</a> <a href="mailto:a@b.test">mail</a>
      <a href="/next?token=2">again</a></p>
      <div class=gone>HIDDEN 1</div><div style="visibility:hidden">HIDDEN 2<span style="visibility:visible">shown</span></div>
      <div style="opacity:0">HIDDEN 3</div><div hidden>HIDDEN 4</div><div aria-hidden=true>HIDDEN 5</div>
      <div class=clip>HIDDEN 6</div><div class=off>HIDDEN 7</div><div class=up>HIDDEN 8</div>
      <div style="width:0;height:0;overflow:hidden">HIDDEN 9</div><div style="clip-path:inset(100%)">HIDDEN 10</div>
      <div style="font-size:0">HIDDEN 11</div><div style="text-indent:-9999px">HIDDEN 12</div>
      <details><summary>Summary</summary>HIDDEN 13</details>
      <form>FORM<input value=INPUT name=nextSibling></form><input value=INPUT><textarea>AREA</textarea>
      <select><option>OPTION</select><button>BUTTON</button><div contenteditable>EDITED</div>
      <div role=textbox>EDITED</div><script>"SCRIPT"</script><style>STYLE</style><noscript>NOSCRIPT</noscript>
      <template>TEMPLATE</template><iframe src="/frame"></iframe><iframe srcdoc="FRAME"></iframe>
      <object data="/frame">OBJECT</object><svg><text>SVG</text></svg><p>The end.</p></main>"#;
    let Some(read) = read(html) else { return };
    assert_eq!(read.title, "The title");
    assert!(!read.truncated);
    let words = [
        "A heading\n\nOne bold word.\nA line.\n\n  kept\n   as it is\nfirst\nsecond\na\tb\nc\td\n\n",
        "Next page no Other mail again\n\nshown\nSummary\n",
    ];
    assert!(read.text.starts_with(&words.concat()), "{:?}", read.text);
    assert!(read.text.ends_with("The end."), "{:?}", read.text);
    for hidden in [
        "OUTSIDE", "HIDDEN", "FORM", "INPUT", "AREA", "OPTION", "BUTTON", "EDITED", "SCRIPT",
        "STYLE", "NOSCRIPT", "TEMPLATE", "FRAME", "OBJECT", "SVG",
    ] {
        assert!(!read.text.contains(hidden), "{hidden}: {:?}", read.text);
    }
    let links: Vec<&str> = read.links.iter().map(|link| link.text.as_str()).collect();
    assert_eq!(links, ["Next page", "Other"]);
    assert!(read.links[0].url.ends_with("/next"), "{:?}", read.links);
    assert_eq!(
        read.links[1],
        PageLink {
            text: "Other".to_owned(),
            url: "http://other.test/y".to_owned()
        }
    );
}

#[test]
fn a_page_that_replaces_functions_is_read_as_it_is() {
    let html = r#"<title>True</title><body><article>The truth.</article>
      <form name=querySelector><input name=nodeType></form><img name=body><form id=title></form>
      <script>
        document.querySelector = () => ({ textContent: "LIE" });
        Document.prototype.querySelector = () => null;
        JSON.stringify = () => '{"text":"LIE"}';
        Node.prototype.textContent = "LIE";
        Object.defineProperty(Node.prototype, "firstChild", { get: () => null });
        Object.defineProperty(Document.prototype, "title", { get: () => "LIE" });
        Array.from = () => []; String.prototype.replace = () => "LIE"; String.prototype.trim = () => "LIE";
        window.getComputedStyle = () => ({ display: "none" });
        globalThis.LIMITS = { text: 1e9 };
        Set.prototype.has = () => true;
        Element.prototype.getBoundingClientRect = () => { for (;;); };
      </script>"#;
    let Some(read) = read(html) else { return };
    assert_eq!(read.text, "The truth.");
    assert_eq!(read.title, "True");
}

#[test]
fn ten_megabytes_of_text_are_cut() {
    let html = format!("<body><p>{}</p><p>never</p>", "word ".repeat(2_000_000));
    let Some(read) = read(html) else { return };
    assert_eq!(read.text.chars().count(), 24_000);
    assert!(read.truncated && read.text.starts_with("word word"));
}

#[test]
fn a_hundred_thousand_links_are_cut() {
    let mut html = "<body>".to_owned();
    for number in 0..100_000 {
        write!(html, "<a href='/{number}?x'>{number}</a> ").unwrap();
    }
    let Some(read) = read(html) else { return };
    assert_eq!(read.links.len(), 60);
    assert!(read.links[59].url.ends_with("/59"), "{:?}", read.links[59]);
    assert!(read.truncated);
}

#[test]
fn twenty_thousand_text_nodes_are_looked_at() {
    let html = format!("<body>{}<p>beyond</p>", "<i>x</i>".repeat(30_000));
    let Some(read) = read(html) else { return };
    assert_eq!(read.text, "x".repeat(20_000));
    assert!(read.truncated);
    let deep = format!("<body>{}deep", "<div>".repeat(400));
    assert_eq!(self::read(deep).unwrap().text, "deep");
}

#[test]
fn text_from_right_to_left_is_read_in_its_order() {
    let words = "שלום עולם";
    let html = format!(
        "<!doctype html><html dir=rtl lang=he><meta charset=utf-8><body><p>{words}</p>\
         <div style='position:absolute;left:9999px'>HIDDEN</div>\
         <div style='width:3000px'>رحبا</div>"
    );
    let Some(read) = read(html) else { return };
    assert_eq!(read.text, format!("{words}\n\nرحبا"));
}

#[test]
fn a_chinese_page_in_its_own_encoding_is_read() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    // 中文网页 in GB18030, and a letter that only its four-byte forms have.
    let mut body = b"<title>".to_vec();
    body.extend([0xd6, 0xd0, 0xce, 0xc4, 0xcd, 0xf8, 0xd2, 0xb3]);
    body.extend(b"</title><body><p>");
    body.extend([0xd6, 0xd0, 0xce, 0xc4, 0x95, 0x32, 0x82, 0x36]);
    let server = Server::start(move |_| Answer::bytes("text/html; charset=gb18030", body.clone()));
    let (page, version) = stage.show(&server.url("/"));
    let read = stage.read(page, version).unwrap();
    assert_eq!(read.title, "中文网页");
    assert_eq!(read.text, "中文𠀀");
}

#[test]
fn another_version_is_not_read() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one("<title>x</title><body>x");
    let (page, version) = stage.show(&server.url("/"));
    assert_eq!(stage.read(page, version + 1), Err(ReadFailure::Changed));
    let url = server.url("/other");
    stage.host.send(PageCommand::Navigate { page, url });
    assert_eq!(stage.read(page, version).unwrap_err(), ReadFailure::Changed);
    let next = stage.finished(page);
    assert!(next > version);
    assert_eq!(stage.read(page, version), Err(ReadFailure::Changed));
    assert!(stage.read(page, next).is_ok());
    stage.host.send(PageCommand::Close { page });
    assert_eq!(stage.read(page, next), Err(ReadFailure::Changed));
}

#[test]
fn a_page_that_goes_elsewhere_by_itself_is_not_read() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one(
        "<body>x<script>onmessage = () => history.pushState(1, '', '/elsewhere');
        addEventListener('load', () => setTimeout(() => postMessage(1), 300))</script>",
    );
    let (page, version) = stage.show(&server.url("/"));
    let elsewhere = server.url("/elsewhere");
    let moved = stage.wait("the other address", |event| match event {
        wisp::pages::PageEvent::Moved { url, version, .. } if *url == elsewhere => Some(*version),
        _ => None,
    });
    assert!(moved > version);
    assert_eq!(stage.read(page, version), Err(ReadFailure::Changed));
    assert_eq!(stage.read(page, moved).unwrap().url, elsewhere);
}
