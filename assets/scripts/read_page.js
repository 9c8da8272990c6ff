// Reads what a person sees of a page: text, links, title. Run in a world of its own, where the page's own
// functions don't reach; still the page decides what it holds, and whoever reads the answer checks all of it.
//
// LIMITS is put in front: text (characters), links, nodes (text nodes looked at), steps (nodes of all kinds),
// title, linkText and address (characters).
(() => {
  "use strict";
  // Never read: what a person types or that isn't words of the page.
  const LEFT_OUT = new Set([
    "AUDIO", "BUTTON", "CANVAS", "DATALIST", "EMBED", "FORM", "FRAME", "FRAMESET", "HEAD", "IFRAME", "INPUT",
    "LINK", "MAP", "META", "METER", "NOEMBED", "NOFRAMES", "NOSCRIPT", "OBJECT", "OPTGROUP", "OPTION", "OUTPUT",
    "PORTAL", "PROGRESS", "SCRIPT", "SELECT", "SLOT", "STYLE", "SVG", "TEMPLATE", "TEXTAREA", "TITLE", "VIDEO",
  ]);
  const INLINE = new Set(["inline", "inline-block", "inline-flex", "inline-grid", "contents", "ruby"]);
  const TEXT = 3;
  const ELEMENT = 1;

  let text = "";
  let length = 0;
  let nodes = 0;
  let steps = 0;
  let truncated = false;
  // What separates the next words from the last: nothing, a space, a tab, a line, a paragraph.
  let gap = 0;
  const GAPS = ["", " ", "\t", "\n", "\n\n"];
  const links = [];
  const seen = new Set();

  const part = (value, most) => {
    // Cut between characters, never within one.
    let end = Math.min(value.length, most * 2);
    const cut = Array.from(value.slice(0, end));
    return cut.length > most ? cut.slice(0, most).join("") : cut.join("");
  };

  // Adds words. Where the page keeps its spaces, as they are; else each run of them is one.
  const add = (value, keep) => {
    const most = LIMITS.text * 8;
    if (value.length > most) {
      value = value.slice(0, most);
      truncated = true;
    }
    if (keep) {
      if (value !== "") {
        write(value);
        gap = 0;
      }
      return;
    }
    const words = value.replace(/\s+/g, " ").trim();
    if (/^\s/.test(value)) wider(1);
    if (words === "") return;
    write(words);
    gap = /\s$/.test(value) ? 1 : 0;
  };

  const write = (value) => {
    const before = text === "" ? "" : GAPS[gap];
    const whole = Array.from(before + value);
    const room = LIMITS.text - length;
    if (whole.length > room) {
      text += whole.slice(0, room).join("");
      length = LIMITS.text;
      truncated = true;
    } else {
      text += before + value;
      length += whole.length;
    }
  };

  const wider = (size) => {
    if (gap < size) gap = size;
  };

  // A page may name its fields like the functions of a document or a form, which then answer in their place.
  const getter = (of, name) => {
    const get = Object.getOwnPropertyDescriptor(of.prototype, name).get;
    return (node) => get.call(node);
  };
  const nodeType = getter(Node, "nodeType");
  const nextSibling = getter(Node, "nextSibling");
  const firstChild = getter(Node, "firstChild");
  const parentElement = getter(Node, "parentElement");
  const textContent = getter(Node, "textContent");
  const tagName = (element) => getter(Element, "tagName")(element).toUpperCase();
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const find = (selector) => Document.prototype.querySelector.call(document, selector);

  const root = getter(Document, "documentElement")(document);
  const body = getter(Document, "body")(document);
  const base = getter(Node, "baseURI")(document);
  const direction = body ? getComputedStyle(body).direction : "ltr";
  const reach = root ? root.clientWidth : 0;

  // Whether nothing of an element is seen, nor of what is in it.
  const isHidden = (element, style, scrolled) => {
    if (style.display === "none" || style.contentVisibility === "hidden") return true;
    if (Number(style.opacity) < 0.05) return true;
    if (attribute(element, "hidden") !== null || attribute(element, "aria-hidden") === "true") return true;
    if (Number.parseFloat(style.fontSize) < 1 || Number.parseFloat(style.textIndent) < -500) return true;
    const clip = style.clipPath;
    if (/^inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%/.test(clip) || /^(?:circle|ellipse)\(\s*0/.test(clip)) return true;
    if (style.clip !== "auto" && (style.position === "absolute" || style.position === "fixed")) {
      const sides = style.clip.match(/-?[\d.]+/g);
      if (sides && sides.length === 4 && sides[1] - sides[3] <= 1) return true;
      if (sides && sides.length === 4 && sides[2] - sides[0] <= 1) return true;
    }
    if (style.display === "contents") return false;
    const box = element.getBoundingClientRect();
    const clips = style.overflow !== "visible" && !INLINE.has(style.display);
    if (clips && (box.width <= 1 || box.height <= 1)) return true;
    if (scrolled || box.width === 0 || box.height === 0) return false;
    // Where nobody can scroll to.
    const left = box.left + window.scrollX;
    if (box.bottom + window.scrollY <= 0) return true;
    return direction === "rtl" ? left >= reach : left + box.width <= 0;
  };

  const address = (anchor) => {
    const href = attribute(anchor, "href");
    if (href === null || href.length > LIMITS.address) return null;
    let url;
    try {
      url = new URL(href, base);
    } catch {
      return null;
    }
    if (url.protocol !== "http:" && url.protocol !== "https:") return null;
    url.search = "";
    url.hash = "";
    url.username = "";
    url.password = "";
    return url.href;
  };

  const isEditable = (element) => {
    const value = attribute(element, "contenteditable");
    return (value !== null && value.toLowerCase() !== "false") || attribute(element, "role") === "textbox";
  };

  // Without recursion: a page nests as deep as it likes. An entry is a node to look at, or what to do after one.
  const walk = (from) => {
    const stack = [{ node: from, visible: true, keep: false, scrolled: false, alone: true }];
    while (stack.length > 0) {
      const entry = stack.pop();
      if (entry.after !== undefined) {
        wider(entry.after);
        if (entry.link !== undefined) note(entry.link, entry.start);
        continue;
      }
      const { node, visible, keep, scrolled, alone } = entry;
      steps += 1;
      if (steps > LIMITS.steps || nodes >= LIMITS.nodes || length >= LIMITS.text) {
        truncated = true;
        return;
      }
      // One sibling at a time: a list of a hundred thousand children is never copied.
      const next = alone ? null : nextSibling(node);
      if (next) stack.push({ node: next, visible, keep, scrolled });
      const kind = nodeType(node);
      if (kind === TEXT) {
        nodes += 1;
        if (visible) add(node.data, keep);
        continue;
      }
      if (kind !== ELEMENT) continue;
      const name = tagName(node);
      if (LEFT_OUT.has(name) || isEditable(node)) {
        if (name !== "SCRIPT" && name !== "STYLE") wider(1);
        continue;
      }
      if (name === "BR" || name === "HR") {
        wider(name === "BR" ? 3 : 4);
        continue;
      }
      const style = getComputedStyle(node);
      if (isHidden(node, style, scrolled)) continue;
      const moved = scrolled || (node !== root && node !== body && (node.scrollTop !== 0 || node.scrollLeft !== 0));
      if (name === "DETAILS" && !node.open) {
        const summary = Element.prototype.querySelector.call(node, ":scope > summary");
        if (summary) stack.push({ node: summary, visible, keep, scrolled: moved, alone: true });
        continue;
      }
      const size = style.display === "table-cell" ? 2
        : INLINE.has(style.display) ? 0
        : name === "P" || /^H[1-6]$/.test(name) ? 4
        : 3;
      if (size !== 2) wider(size);
      const shown = style.visibility === "visible";
      const pre = style.whiteSpaceCollapse === "preserve" || /^pre/.test(style.whiteSpace);
      stack.push({ after: size, link: name === "A" && shown ? node : undefined, start: text.length });
      const child = firstChild(node);
      if (child) stack.push({ node: child, visible: shown, keep: pre, scrolled: moved });
    }
  };

  const note = (anchor, start) => {
    if (links.length >= LIMITS.links) {
      truncated = true;
      return;
    }
    const url = address(anchor);
    if (url === null || seen.has(url)) return;
    seen.add(url);
    links.push({ text: part(text.slice(start).replace(/\s+/g, " ").trim(), LIMITS.linkText), url });
  };

  const isSeen = (element) => {
    for (let at = element; at; at = parentElement(at)) {
      if (LEFT_OUT.has(tagName(at)) || isEditable(at)) return false;
      if (isHidden(at, getComputedStyle(at), at !== element)) return false;
    }
    return true;
  };
  let place = null;
  for (const selector of ["article", "main", "[role=main]"]) {
    const found = find(selector);
    if (found && textContent(found).trim() !== "" && isSeen(found)) {
      place = found;
      break;
    }
  }
  place = place || body;
  if (place) walk(place);
  return JSON.stringify({
    url: part(location.href, LIMITS.address),
    title: part(getter(Document, "title")(document), LIMITS.title),
    text,
    links,
    truncated,
  });
})()
