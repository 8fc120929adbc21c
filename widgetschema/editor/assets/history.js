// Undo and redo of every edit, in the form and in the JSON pane: the editor keeps the steps, and
// answers with the page before or after. While somebody types into a text, the browser's own undo
// works in it, as far as what was typed since it has had the focus.
"use strict";
(() => {
  const form = document.getElementById("ed");
  const pane = document.getElementById("ed-pane");
  const buttons = { back: document.getElementById("ed-back"), forward: document.getElementById("ed-forward") };
  const own = (name) => document.getElementById(`editor.${name}`);
  const TEXT = "textarea, input:not([type]), input:is([type='text'], [type='url'], [type='email'], [type='number'], [type='search'])";
  const PIECE = /^(insertFrom|deleteBy|insertLineBreak|insertParagraph|insertReplacement|format)/;

  // A visit: while it lasts, typing is one step.
  let visits = 0;
  let edits = 0;
  const visit = () => {
    visits += 1;
    own("visit").value = `${Date.now()}-${visits}`;
  };

  // The text that has the focus: its value when it got it, the last one, and how much was undone.
  let text = null;
  let [first, last, undone] = ["", "", 0];
  let heard = false; // whether an edit has come since a key was pressed
  const begin = (element) => {
    text = element && element.matches(TEXT) ? element : null;
    first = last = text ? text.value : "";
    undone = 0;
  };

  const check = (detail = null) =>
    form.dispatchEvent(new CustomEvent("widgetschema:check", { bubbles: true, detail }));
  let unchecked = false; // whether something was typed since the last check
  const walk = (way) => {
    visit();
    unchecked = false;
    check({ name: buttons[way].name, value: way });
  };

  document.addEventListener("input", (event) => {
    if (!form.contains(event.target)) return;
    heard = true;
    unchecked = true;
    edits += 1;
    own("edit").value = String(edits); // a check may come after a later one, which made it obsolete
    const { inputType = "", isTrusted, target } = event;
    if (target !== text || !isTrusted) {
      visit();
      if (target === text) begin(text);
      return;
    }
    if (inputType === "historyUndo") undone += 1;
    else undone = inputType === "historyRedo" ? Math.max(0, undone - 1) : 0;
    if (PIECE.test(inputType)) visit();
    last = text.value;
  }, true);

  form.addEventListener("focusin", (event) => {
    begin(event.target);
    if (unchecked) {
      unchecked = false;
      check(); // what was typed before is a step of its own
    }
    visit();
  });

  const wayOf = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
    const key = event.key.toLowerCase();
    if (key === "z") return event.shiftKey ? "forward" : "back";
    return key === "y" && !event.shiftKey ? "forward" : null;
  };
  document.addEventListener("keydown", (event) => {
    const way = wayOf(event);
    const { activeElement } = document;
    if (!way || event.isComposing || !(form.contains(activeElement) || activeElement === document.body)) return;
    if (activeElement === text && (way === "back" ? text.value !== first : undone > 0)) {
      heard = false;
      setTimeout(() => { if (!heard) walk(way); }); // the browser had nothing to undo or redo
      return;
    }
    event.preventDefault();
    walk(way);
  });

  for (const [way, button] of Object.entries(buttons)) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      if (button.getAttribute("aria-disabled") !== "true" || unchecked) walk(way);
    });
  }

  // Back to where the edit was. A button that was pressed keeps the focus, to be pressed again.
  const revisit = (id) => {
    const active = document.activeElement;
    const element = id ? document.getElementById(id) : null;
    if (!element) return;
    element.dispatchEvent(new CustomEvent("widgetschema:reveal", { bubbles: true }));
    const onButton = Object.values(buttons).includes(active);
    if (active !== pane && !onButton) {
      const inside = element.matches("input, select, textarea, button, [tabindex]")
        ? element
        : element.querySelector("input:not([type='hidden']), select, textarea, button");
      if (inside) inside.focus({ preventScroll: true });
    }
    if (active !== pane) {
      const holder = element.closest(".ws-field, .ws-group") || element;
      holder.scrollIntoView({ block: "nearest", behavior: "instant" });
      if (onButton) holder.classList.add("ed-shown"); // see pane.js
    }
  };

  document.addEventListener("widgetschema:answer", (event) => {
    const said = event.detail.editor;
    if (!said) return;
    own("step").value = said.step;
    for (const [way, can] of [["back", said.canUndo], ["forward", said.canRedo]]) {
      if (can) buttons[way].removeAttribute("aria-disabled");
      else buttons[way].setAttribute("aria-disabled", "true");
    }
    if (said.revisit !== null) revisit(said.revisit);
    if (text && text.isConnected && document.activeElement === text) {
      if (text.value !== last) begin(text); // an answer has changed it
    } else begin(document.activeElement);
  });
})();
