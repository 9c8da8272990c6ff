// Whether something was typed into a page that would be lost. Run in a world of its own.
//
// LIMITS is put in front: fields (looked at).
(() => {
  "use strict";
  const changed = (field) => {
    if (field.disabled || field.readOnly) return false;
    if (field.tagName === "TEXTAREA") return field.value !== field.defaultValue;
    if (field.tagName === "SELECT") {
      const options = Array.from(field.options).slice(0, LIMITS.fields);
      const usual = options.some((option) => option.defaultSelected);
      return options.some((option, at) =>
        option.selected !== (usual || field.multiple ? option.defaultSelected : at === 0));
    }
    if (["hidden", "button", "submit", "reset", "image"].includes(field.type)) return false;
    if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
    if (field.type === "file") return field.files.length > 0;
    if (["color", "range"].includes(field.type) && !field.hasAttribute("value")) return false;
    return field.value !== field.defaultValue;
  };
  const fields = Document.prototype.querySelectorAll.call(document, "input, textarea, select");
  const most = Math.min(fields.length, LIMITS.fields);
  for (let at = 0; at < most; at += 1) {
    if (changed(fields[at])) return "true";
  }
  // What a page lets be edited in place has no usual state: it counts once it was typed into.
  return globalThis.wispWasTyped === true ? "true" : "false";
})()
