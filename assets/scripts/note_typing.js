// Notes that a person has typed into a part of a page that is edited in place. Run in a world of its own, before
// the page's scripts.
(() => {
  "use strict";
  addEventListener("input", (event) => {
    const at = event.composedPath()[0];
    if (event.isTrusted && at && at.isContentEditable) globalThis.wispWasTyped = true;
  }, { capture: true, passive: true });
})()
