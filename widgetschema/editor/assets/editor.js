// The editor's page without a reload: form and JSON pane follow each other, and the page notices
// when the file changes. forms.js asks the editor, for the pane too, and tells of each answer in
// an event. All markup comes from the editor; no text is ever made markup here.
"use strict";
(() => {
  const form = document.getElementById("ed");
  const pane = document.getElementById("ed-pane");
  const DELAY = 350; // milliseconds without typing before the pane is sent
  const LOOK_EVERY = 4000; // milliseconds between looks at the file
  let timer = 0;
  let leaving = false;
  let asking = false; // whether the page may be left
  let answered = false;
  let changed = form.dataset.changed === "true";

  const part = (id) => document.getElementById(id);
  const own = (name) => part(`editor.${name}`);
  const check = () => form.dispatchEvent(new CustomEvent("widgetschema:check", { bubbles: true }));

  const put = (id, markup) => {
    const element = part(id);
    const made = document.createElement("template");
    made.innerHTML = markup;
    if (element.innerHTML === made.innerHTML || element.dataset.last === markup) return;
    element.dataset.last = markup; // who does not see is told once
    const chosen = [...element.querySelectorAll("input:checked")].map((one) => one.value);
    element.innerHTML = markup;
    for (const one of element.querySelectorAll("input[type=radio]")) one.checked = chosen.includes(one.value);
  };

  const say = (text) => {
    const status = part("ed-status");
    if (status.textContent === text) return;
    const problem = document.createElement("strong");
    problem.className = "ed-bad";
    problem.textContent = text;
    status.replaceChildren(problem);
    delete status.dataset.last;
  };

  // A browser takes long to lay out a long text area. Its text is transparent (`pane.js` draws the lines
  // in sight), so it may follow the lines when there is time: `coming` is the text that is drawn until then.
  const LONG = 400; // lines
  const fill = (text, paneOf) => {
    delete pane.coming;
    const { selectionStart, selectionEnd, scrollTop, scrollLeft } = pane;
    pane.value = text;
    pane.setSelectionRange(selectionStart, selectionEnd);
    pane.scrollTop = scrollTop;
    pane.scrollLeft = scrollLeft;
    own("pane-of").value = paneOf;
  };
  const fillNow = () => {
    if (pane.coming) fill(pane.coming.text, pane.coming.paneOf);
  };
  const whenIdle = window.requestIdleCallback || ((work) => setTimeout(work, 200));
  for (const kind of ["pointerdown", "dragenter", "focus", "beforeinput"]) pane.addEventListener(kind, fillNow);

  const setPane = (text, paneOf) => {
    const before = (pane.coming ? pane.coming.text : pane.value).split("\n");
    const after = text.split(/\r\n?|\n/);
    const line = after.findIndex((one, index) => one !== before[index]);
    if (line < 0 && after.length === before.length) {
      if (pane.coming) pane.coming.paneOf = paneOf;
      else own("pane-of").value = paneOf;
      return;
    }
    const isDrawn = document.activeElement !== pane && part("ed-code").classList.contains("ed-coloured");
    if (isDrawn && after.length > LONG && after.length === before.length) {
      const isPlanned = Boolean(pane.coming);
      pane.coming = { text: after.join("\n"), paneOf };
      if (!isPlanned) whenIdle(fillNow, { timeout: 2000 });
    } else {
      fill(text, paneOf);
    }
    if (document.activeElement === pane) return;
    pane.dispatchEvent(new CustomEvent("editor:changed", { detail: line < 0 ? after.length : line }));
  };

  const forget = () => {
    const review = part("ed-review");
    if (review) review.remove(); // it is about another text
  };

  const show = (said) => {
    put("ed-status", said.status);
    put("ed-type", said.type);
    put("ed-notices", said.notices);
    put("ed-document-findings", said["document-findings"]);
    put("ed-refusals", said.refusals);
    own("version").value = said.version;
    own("of").value = said.of;
    own("schema").value = said.schema;
    const revisited = said.revisit !== null;
    if (revisited) forget();
    changed = said.changed || said.refused;
    if (said.refused) pane.setAttribute("aria-invalid", "true");
    else pane.removeAttribute("aria-invalid");
    if ((said.refused || said.asks) && !revisited) return;
    // While the answer was on its way, more may have been typed into the pane: that counts as an
    // edit of what was sent, if the answer is about that.
    const same = said.typed === own("typed").value;
    if (same) setPane(said.pane, said.paneOf);
    else if (said.fromPane) own("pane-of").value = said.paneOf;
  };

  // What the editor says of the file; null without an answer, then the page says so.
  const current = async () => {
    try {
      const type = part("ed-type").textContent.trim();
      const about = new URLSearchParams({ version: own("version").value, schema: own("schema").value, type });
      const answer = await fetch(`/current?${about}`, { credentials: "same-origin" });
      return await answer.json();
    } catch {
      say(window.widgetschema.phrase(form, "silent"));
      return null;
    }
  };

  const look = async () => {
    if (document.hidden || leaving) return;
    const said = await current();
    if (!said) return;
    const silent = part("ed-status").querySelector("strong");
    if (silent || (!said.current && !part("ed-notices").querySelector(".ed-outside"))) check();
  };

  document.documentElement.classList.add("ed-live");

  form.addEventListener("input", (event) => {
    if (event.target.closest("#ed-review, #ed-notices")) return; // a button decides there
    changed = true;
    forget();
    if (event.target !== pane) return;
    own("typed").value = String(Number(own("typed").value) + 1);
    clearTimeout(timer);
    timer = setTimeout(check, DELAY);
  });

  pane.addEventListener("focus", check); // so that it has all that was typed into the form

  document.addEventListener("widgetschema:answer", (event) => {
    if (event.detail.editor) show(event.detail.editor);
    else if (event.detail.notice) say(event.detail.notice);
  });

  // Without an editor that answers there is no way back to this page: it stays.
  form.addEventListener("submit", async (event) => {
    leaving ||= answered;
    if (leaving) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    const { submitter } = event;
    answered = await current() !== null;
    const isSame = (one) => one.name === submitter.name && one.value === submitter.value;
    const button = submitter && !submitter.isConnected ? [...form.elements].find(isSame) : submitter; // drawn anew
    if (answered) form.requestSubmit(button); // which half a date stops
    asking = answered = false;
  });
  window.addEventListener("pageshow", () => { leaving = false; });
  window.addEventListener("beforeunload", (event) => {
    if (changed && !leaving) event.preventDefault();
  });
  window.addEventListener("focus", look);
  setInterval(look, LOOK_EVERY);
})();
