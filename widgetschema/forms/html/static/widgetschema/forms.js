/* What forms can do on top of working without a script: checking while somebody types, pickers,
   rows that move without loading the page, a warning before changes are lost.

   Markup comes from the server alone; what people type is only ever set as text or value. All
   listeners are on the document, so markup may be replaced at any time. Other scripts may send
   these events to a form: `widgetschema:check` asks for a check, as if a button had been pressed
   if its detail has a `name` and a `value`; `widgetschema:saved` says
   that nothing is unsaved, `widgetschema:reveal` that an element must be seen, `widgetschema:shown` that it inserted or copied the element that
   it sends this event to. They get `widgetschema:answer`, with the answer to a check.
   Ctrl+S or Cmd+S sends the form, by its button with `data-save` if it has one. Each field is one stop
   of the Tab key: Ctrl+. goes to its menu, then to the buttons of its row, then to the menu of the
   group around it; Alt+Down opens its picker, Alt+Delete clears it, Alt+Shift+Up and Down move its row. */
"use strict";
(() => {
  const DELAY = 250; // milliseconds without typing before a check
  const TWICE = 1000; // milliseconds in which a second press of the button that saves is none
  const HOLDERS = ".ws-field, .ws-group, .ws-section, .ws-closed, .ws-main";
  const TICK = ".ws-tick > input"; // a checkbox of several for one list
  const FILES = ".ws-form .ws-upload > [type='file']"; // each after the hidden control with its text
  const ASIDE = "input[type='hidden'][name*='aside#']"; // secrets and files, sent before
  const BUTTONS = "button[name='do'], button[name$='.do']"; // with the prefix of a form, if it has one
  const listen = document.addEventListener.bind(document);
  const known = new WeakMap(); // what is remembered of each form element
  const asking = new WeakMap(); // of each of our forms: there may be several in one form element

  const rootOf = (element) => element.closest(".ws-form");
  const formOf = (root) => root.closest("form");
  const part = (id, name) => document.getElementById(`${id}:${name}`);
  const make = (name, attributes) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const setOrRemove = (element, name, value) => {
    if (value) element.setAttribute(name, value);
    else element.removeAttribute(name);
  };
  const near = (target, selector) => (target instanceof Element ? target.closest(selector) : null);
  const beside = (all, one, step) => all[(all.indexOf(one) + step + all.length) % all.length];
  const focusedIn = (element) => (element.contains(document.activeElement) ? document.activeElement : null);

  // The texts come from the server, in `data-texts` of the form, by name: what has a number has several
  // forms, and the member "" says which: by number, the last digit for all that follow; a table of 200
  // repeats its second half. A template of an application may have left them out: names show it.
  const language = (element) => element.closest("[lang]")?.lang || "en";
  const pluralForm = (table, number) =>
    table[number] ?? table[table.length === 200 ? 100 + (number % 100) : table.length - 1];
  const spoken = new Map();
  const phrase = (element, name, parameters = {}) => {
    const holder = element.closest("[data-texts]");
    const source = holder ? holder.dataset.texts : "{}";
    if (!spoken.has(source)) spoken.set(source, JSON.parse(source));
    const texts = spoken.get(source);
    const found = texts[name] ?? name;
    const template = typeof found === "string" ? found : found[pluralForm(texts[""], parameters.number)];
    return template.replace(/\{(\w+)(:,)?\}/g, (_, key, isGrouped) =>
      isGrouped ? parameters[key].toLocaleString(language(element)) : parameters[key]);
  };

  // What the browser keeps for the next page, if it has a storage
  const recall = (storage, name) => {
    try {
      return window[storage].getItem(name) || "";
    } catch {
      return "";
    }
  };
  const keep = (storage, name, text) => {
    try {
      window[storage].setItem(name, text);
    } catch {
      // nothing is kept
    }
  };

  window.widgetschema = Object.freeze({ phrase, recall, keep }); // for other scripts

  // Without files: the text beside each is what counts.
  const entries = (form) => new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""]));
  const content = (form) => {
    const all = entries(form);
    for (const name of [...all.keys()]) if (/^([\w-]+\.)?(shape|due)#$/.test(name)) all.delete(name);
    return all.toString();
  };
  const remembered = (form) => {
    if (!known.has(form)) known.set(form, { first: content(form), leaving: false });
    return known.get(form);
  };
  const asked = (root) => {
    if (!asking.has(root)) asking.set(root, { next: [] });
    return asking.get(root);
  };
  const changed = (form) =>
    form.querySelector(".ws-form[data-changed]") !== null || content(form) !== remembered(form).first;

  // What is said politely, and stays to be read.
  const say = (root, text) => {
    const all = [...formOf(root).getElementsByClassName("ws-notice")];
    const notice = all.find((one) => [root, null].includes(rootOf(one))); // of the page, or of this form
    if (notice) setTimeout(() => { notice.textContent = text; }, 50);
  };

  // Findings

  const showAt = (id, markup) => {
    const control = document.getElementById(id);
    const holder = control && control.closest(HOLDERS);
    if (!holder) return;
    const old = [...holder.querySelectorAll(".ws-errors, .ws-settled")].find((one) => one.dataset.field === id);
    const alone = holder.matches(".ws-field:not(.ws-radios, .ws-ticks, .ws-closed)");
    const target = alone ? control : holder;
    const described = part(id, "help") ? [`${id}:help`] : [];
    if (markup) {
      const box = new DOMParser().parseFromString(markup, "text/html").body.firstElementChild;
      if (old && old.matches(".ws-errors") && old.textContent === box.textContent) return;
      const body = holder.querySelector(":scope > .ws-body, :scope > .ws-fold > .ws-body");
      if (old) old.replaceWith(box);
      else if (holder.matches(".ws-main")) holder.prepend(box);
      else if (body) body.before(box);
      else holder.append(box);
      described.push(`${id}:error`);
    } else if (old) {
      old.className = "ws-settled"; // what is below it stays where it is
      for (const named of old.querySelectorAll("[id]")) named.removeAttribute("id");
      old.inert = true;
    }
    setOrRemove(target, "aria-describedby", described.join(" "));
    if (alone || holder.matches(".ws-radios")) setOrRemove(target, "aria-invalid", markup && "true");
    if (target.parentElement.matches(".ws-searched")) mirror(target);
    if (target.parentElement.matches(".ws-moment")) mirrorMoment(target);
  };

  const quiet = (summary) => {
    for (const element of summary.querySelectorAll(".ws-summary")) element.removeAttribute("role");
    for (const element of summary.querySelectorAll("[autofocus]")) element.removeAttribute("autofocus");
  };

  // The outline: how many fields of each section are set, and which section is being looked at

  const isSet = (field) => {
    const menu = field.querySelector(":scope > .ws-more");
    const state = menu && stateOf(menu) ? stateOf(menu).dataset.state : "set";
    if (state !== "set" && state !== "unset") return true;
    const fixed = field.querySelector(":scope > [readonly]");
    if (fixed) return fixed.value !== "";
    const controls = field.querySelectorAll(":is(input, textarea, select)[name]:not([type='hidden'], [data-state], [data-carry], [name*='name#'])");
    return state === "set" && [...controls].some((control) => {
      const { type, checked, value } = control;
      if (type === "radio") return checked && value !== "unset";
      if (control.matches(TICK)) return checked;
      return type === "checkbox" || value !== (type === "select-one" ? "unset" : "");
    }) || (state === "set" && field.querySelector(".ws-file > *") !== null);
  };
  const counts = (field) => {
    if (field.closest("[hidden]")) return false; // not shown, as other values are
    for (let branch = field.closest(".ws-branch"); branch; branch = branch.parentElement.closest(".ws-branch")) {
      if (!branch.querySelector(":scope > .ws-choice > input").checked) return false; // not chosen
    }
    return true;
  };
  const sectionOf = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));
  const recount = (root, within) => {
    for (const link of root.querySelectorAll(".ws-nav a")) {
      const section = sectionOf(link);
      if (!section || (within && !section.contains(within))) continue;
      const filled = link.querySelector(".ws-filled");
      if (!filled) continue; // of a row
      const fields = [...section.querySelectorAll(".ws-field")].filter(counts);
      const count = filled.lastChild;
      filled.hidden = !fields.length;
      const text = `${fields.filter(isSet).length}/${fields.length}`;
      if (count.textContent !== text) count.textContent = text; // a change lays out the whole page
    }
  };
  const showPlace = () => {
    for (const nav of document.querySelectorAll(".ws-form .ws-nav")) {
      const links = [...nav.querySelectorAll("a")];
      const shown = links.filter((link) => {
        const section = sectionOf(link); // of a tab that is not open, it has no place
        return section && section.checkVisibility() && section.getBoundingClientRect().top < window.innerHeight * 0.4;
      });
      const current = shown.pop() || links[0];
      for (const link of links) setOrRemove(link, "aria-current", link === current && "true");
    }
  };
  let placing = 0;
  listen("scroll", () => {
    cancelAnimationFrame(placing);
    placing = requestAnimationFrame(showPlace);
  }, { capture: true, passive: true });

  // What somebody edits or looks at stays where it is; a page that is too short to scroll gets longer.
  const topOf = (element) => element.getBoundingClientRect().top;
  const holding = (root, work) => {
    const [found] = root.getElementsByClassName("ws-found");
    const still = focusedIn(root) || (found.getBoundingClientRect().bottom < 0 ? found.nextElementSibling : null);
    const place = still && topOf(still);
    work();
    if (!still || !still.isConnected) return;
    window.scrollBy({ top: topOf(still) - place, behavior: "instant" });
    const rest = topOf(still) - place;
    if (rest <= 0) return;
    const { paddingBottom } = getComputedStyle(root);
    const free = Math.max(0, window.innerHeight - document.documentElement.getBoundingClientRect().height);
    root.style.paddingBottom = `${parseFloat(paddingBottom) + rest + free}px`;
    window.scrollBy({ top: rest, behavior: "instant" });
  };

  // Findings are shown when they are due: about fields that were left after they were edited, and
  // all after Check or Save. The server knows which, by the names of the fields in `due#`.
  const edited = new Set(); // controls, until they are left
  const left = new Set();
  const dueOf = (root) => root.querySelector(":scope > [name$='due#']");
  const leaves = ({ target, relatedTarget }) => {
    if (document.activeElement === target) return; // for another window
    for (const control of edited) {
      if (control.isConnected && control.closest(`${HOLDERS}, .ws-row`)?.contains(relatedTarget)) continue;
      edited.delete(control);
      if (!control.isConnected) continue;
      left.add(control);
      if (rootOf(control).dataset.live) schedule(rootOf(control));
    }
  };
  listen("focusout", leaves);
  listen("formdata", ({ target, formData }) => {
    for (const root of target.querySelectorAll(".ws-form")) {
      const due = dueOf(root);
      if (!due) continue;
      const names = [...left].filter((one) => rootOf(one) === root).map(({ name }) => name.slice(name.indexOf("#")));
      formData.set(due.name, [due.value, ...names].join(" "));
    }
  });

  // The summary is that of the last Check: what is done is struck out, what is new comes last.
  const updateSummary = (found, answer) => {
    const list = found.querySelector(".ws-summary ul");
    if (!list) return;
    const summary = make("div", {});
    summary.innerHTML = answer.summary;
    const open = new Map([...summary.querySelectorAll(".ws-summary li")].map((item) => [item.textContent, item]));
    const number = open.size;
    for (const item of list.children) {
      item.classList.toggle("ws-done", !open.has(item.textContent));
      open.delete(item.textContent);
    }
    list.append(...open.values());
    const heading = found.querySelector(".ws-summary-heading");
    if (heading) heading.textContent = number ? phrase(found, "problems", { number }) : phrase(found, "fine");
  };

  const saidIn = (root) => [...root.querySelectorAll(".ws-errors .ws-said")];
  const showFindings = (root, answer) => {
    for (const { dataset: { field } } of [...root.getElementsByClassName("ws-errors")]) {
      if (!answer.errors[field]) showAt(field, "");
    }
    for (const [id, markup] of Object.entries(answer.errors)) showAt(id, markup);
    const said = saidIn(root);
    for (const count of root.getElementsByClassName("ws-count")) {
      const link = count.closest("a, summary");
      const section = link.hash ? document.getElementById(link.hash.slice(1)) : link.parentElement;
      const number = section ? said.filter((one) => section.contains(one)).length : 0;
      count.hidden = number === 0;
      count.lastChild.textContent = String(number);
    }
    updateSummary(root.querySelector(".ws-found"), answer);
    const due = dueOf(root);
    if (due) due.value = answer.due;
  };

  // Parts that can be closed. Sections stay closed on the next visit, unless something is wrong in
  // them; links and findings open what they lead to.

  const reveal = (element) => {
    if (element.closest(".ws-out")) endSearch(rootOf(element));
    for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  };
  listen("widgetschema:reveal", ({ target }) => { if (rootOf(target)) reveal(target); });
  const SECTION = ".ws-form .ws-section > .ws-fold";
  const FOLDS = `widgetschema:folds:${location.pathname}`;
  const folded = new WeakSet(); // forms whose sections were closed as before
  const foldSections = (root) => {
    if (folded.has(root)) return;
    folded.add(root);
    const closed = recall("localStorage", FOLDS).split(" ");
    for (const fold of root.querySelectorAll(SECTION)) {
      const isNeeded = fold.querySelector(".ws-errors, [autofocus]");
      if (closed.includes(fold.parentElement.id) && !isNeeded) fold.open = false;
    }
  };
  listen("toggle", ({ target }) => {
    if (!target.matches(SECTION) || target.dataset.sought) return;
    const closed = [...document.querySelectorAll(`${SECTION}:not([open])`)].map((fold) => fold.parentElement.id);
    keep("localStorage", FOLDS, closed.join(" "));
  }, true);
  listen("click", (event) => {
    const tab = near(event.target, ".ws-form .ws-tab[name][open] > summary");
    if (tab && getComputedStyle(tab.parentElement).display === "contents") event.preventDefault(); // one of them is open
  });
  listen("click", (event) => {
    const link = near(event.target, "a[href^='#']");
    const target = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!target || !rootOf(target)) return;
    reveal(target);
    const fold = target.querySelector(":scope > .ws-fold");
    if (fold) fold.open = true;
  });

  // What moves under a pressed button of the mouse is not clicked.
  let isPressed = false;
  const whenReleased = [];
  for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
    listen(name, () => {
      isPressed = name === "pointerdown";
      if (!isPressed) setTimeout(() => whenReleased.splice(0).forEach((one) => one()));
    }, true);
  }
  const released = async () => {
    if (isPressed) await new Promise((resolve) => whenReleased.push(resolve));
  };

  // Live checks

  const stop = ({ timer, request }) => {
    clearTimeout(timer);
    if (request) request.abort();
  };
  const schedule = (root) => {
    const state = asked(root);
    if (state.pressed) clearTimeout(state.timer);
    else stop(state);
    state.timer = setTimeout(() => (state.pressed ? schedule(root) : ask(root, null)), DELAY);
  };

  // A button's work is never given up for what is typed or pressed meanwhile. It may be another element then.
  const press = (root, button) => {
    const state = asked(root);
    const { value } = button;
    const now = () => (button instanceof Element ? [...root.querySelectorAll(BUTTONS)].find((one) => one.value === value) : button);
    if (state.pressed) state.next.push(() => now() && ask(root, now()));
    else ask(root, button);
  };
  const pressNext = (state) => {
    while (!state.pressed && state.next.length) state.next.shift()();
  };

  const ask = async (root, button, forgetFiles = false) => {
    const form = formOf(root);
    const { live } = root.dataset;
    if (!live || !form) return; // or it was removed meanwhile
    const state = asked(root);
    stop(state);
    const request = state.request = new AbortController();
    state.pressed = button;
    const sent = entries(form);
    const known = forgetFiles || !hasTokens ? [] : filesOf(root).filter(isKnown);
    const body = known.length || button ? new URLSearchParams(sent) : sent; // copying thousands is slow
    for (const { name, hidden } of known) {
      body.delete(hidden.name);
      body.set(name, tokens.get(hidden).token);
    }
    if (button) body.append(button.name, button.value);
    let answer, response;
    try {
      response = await fetch(live, {
        method: "POST",
        body,
        headers: { Accept: "application/json" },
        credentials: "same-origin",
        signal: request.signal,
      });
      answer = await response.json();
      if (known.length && !answer.findings) return ask(root, button, true); // the server may have forgotten them
      if (!answer.notice && !(response.ok && Array.isArray(answer.findings))) throw new Error(response.statusText);
    } catch (error) {
      if (request.signal.aborted) return;
      state.pressed = null;
      if (!root.isConnected) return pressNext(state);
      state.next = [];
      if (button instanceof Element) form.requestSubmit(button); // the way without a script
      else if (!response) say(root, phrase(root, "no-answer"));
      else if (response.redirected) say(root, phrase(root, "logged-out"));
      else if (response.status === 409) say(root, phrase(root, "stale"));
      else say(root, phrase(root, "refused", { status: response.status }));
      return;
    }
    await released();
    if (request.signal.aborted) return; // a newer one comes
    if (root.dataset.live !== live) return ask(root, button); // it has other names since
    state.request = null;
    state.pressed = null;
    if (root.isConnected) apply(form, root, answer, sent, button);
    pressNext(state);
  };

  // A file is sent once: after that, a token of the server stands for it in checks.
  const tokens = new WeakMap(); // of each hidden control, with the value that it stands for
  let hasTokens = false; // to look for files in a large form only if there are some
  const filesOf = (root) => [
    ...[...root.querySelectorAll(FILES)].map(({ name, previousElementSibling: hidden }) => ({ name, hidden })),
    ...[...root.querySelectorAll(ASIDE)].map((hidden) => ({ name: `${hidden.name}?`, hidden })),
  ];
  const isKnown = ({ hidden }) =>
    tokens.has(hidden) && tokens.get(hidden).value === hidden.value && hidden.value !== "";
  const rememberFiles = (root, files, sent) => {
    if (!Object.keys(files).length) return;
    hasTokens = true;
    for (const { hidden } of filesOf(root)) {
      const value = hidden.matches(ASIDE) ? hidden.value : sent.get(hidden.name);
      if (files[hidden.name]) tokens.set(hidden, { token: files[hidden.name], value });
    }
  };

  const said = (button) => {
    const copy = button.cloneNode(true);
    for (const sign of copy.querySelectorAll("[aria-hidden]")) sign.remove();
    return copy.textContent.trim();
  };

  const apply = (form, root, answer, sent, button) => {
    if (answer.findings) {
      const before = root.dataset.found || String(saidIn(root).length);
      const done = button instanceof Element && phrase(root, "done", { button: said(button) });
      if (answer.html) redraw(form, root, answer, sent, button);
      else holding(root, () => showFindings(root, answer));
      rememberFiles(root, answer.files || {}, sent);
      const number = saidIn(root).length;
      for (const [id, page] of Object.entries(answer.rendered || {})) {
        const frame = part(id, "rendered");
        if (!frame || frame.srcdoc === page) continue;
        frame.srcdoc = page; // in a sandbox, without scripts
        frame.parentElement.hidden = !page;
      }
      root.dataset.found = String(number);
      if (done) say(root, done);
      else if (before !== root.dataset.found && !answer.editor) { // its page says so itself
        say(root, number ? phrase(root, "problems", { number }) : answer.valid ? phrase(root, "fine") : "");
      }
    }
    if (answer.notice) say(root, answer.notice);
    form.dispatchEvent(new CustomEvent("widgetschema:answer", { detail: answer, bubbles: true }));
  };

  // Markup of a form that has other controls now: what stays is the same element as before, so
  // that focus, caret, composition, undo and scrolling stay as well.

  const redraw = (form, root, answer, sent, button) => {
    const state = asked(root);
    const moved = new Map(answer.moved);
    const template = make("template", {});
    template.innerHTML = answer.html;
    const fresh = template.content.querySelector(".ws-form");
    quiet(fresh);
    if (!button && !root.querySelector(".ws-summary")) fresh.querySelector(".ws-found").replaceChildren();
    const late = typedSince(form, sent);
    for (const name of late) setValues(fresh, nameIn(name, moved), entries(form).getAll(name));
    if (moved.size) rename(root, moved);
    const rows = new Map([...root.getElementsByClassName("ws-row")].map((row) => [row.dataset.row, row]));
    const active = focusedIn(root);
    const place = active && topOf(active);
    become(root, fresh);
    for (const stub of root.querySelectorAll("[data-stays]")) { // in a part that is new
      const row = rows.get(stub.dataset.row);
      stay(row, stub);
      stub.replaceWith(row);
    }
    for (const { dataset: { field } } of root.querySelectorAll(".ws-errors")) if (!answer.errors[field]) showAt(field, "");
    if (late.length) schedule(root);
    enhance(root);
    const alike = () => [...root.querySelectorAll(".ws-input")].find((one) => one.name === active.name);
    const same = active && (active.isConnected ? active : alike());
    if (same) {
      same.focus({ preventScroll: true }); // if it was moved, or is another element now
      window.scrollBy(0, topOf(same) - place);
    }
    const wanted = answer.focus && document.getElementById(answer.focus);
    const free = !same || same === button || same === state.led;
    if (wanted && free) {
      reveal(wanted);
      wanted.focus();
      state.led = wanted;
    }
  };

  // Rows of a form that was made of another text have other names and ids: the innermost row counts.
  const nameIn = (name, moved) => {
    const begin = Math.max(0, name.indexOf("#"));
    const ends = name.includes("#") ? /^($|[/;])/ : /^($|[:-]|_k)/; // what follows the name of a row, or its id
    for (let end = name.length; end > begin; end -= 1) {
      const now = ends.test(name.slice(end)) && moved.get(name.slice(begin, end));
      if (now) return `${name.slice(0, begin)}${now}${name.slice(end)}`;
    }
    return name;
  };
  const NAMES = ["name", "id", "for", "list", "data-row", "data-carry", "data-named", "aria-controls", "aria-describedby", "aria-labelledby"];
  const rename = (root, moved) => {
    const chosen = root.querySelectorAll("[type='radio']:checked"); // for a moment, two rows have the same names
    for (const one of root.querySelectorAll(NAMES.map((name) => `[${name}]`).join())) {
      for (const { name, value } of one.attributes) {
        if (!NAMES.includes(name) && !(name === "value" && one.matches("button"))) continue;
        one.setAttribute(name, value.split(" ").map((part) => nameIn(part, moved)).join(" "));
      }
    }
    for (const one of chosen) one.checked = true;
  };

  const shownBy = (node) => (node.nodeType === 1 && node.matches(".ws-picked") ? node.firstElementChild : node);
  // By names, which stay when a row moves; ids say where it is.
  const keyOf = (node) => {
    if (node.nodeType !== 1) return node.nodeName;
    if (node.dataset.row) return node.dataset.row;
    const inner = node.matches(".ws-field, .ws-group") && node.querySelector("[name]:not(button)");
    const { name } = node.matches("[name]") ? node : inner || {};
    const own = node.matches("button, [type='radio']") ? node.dataset.state || node.value : "";
    return [node.tagName, name || (node.matches(".ws-section") ? node.id : node.className), own].join("\n");
  };

  // A row that stays is as the server would send it, but for its number and its place.
  const SAYS = ".ws-label, .ws-legend, legend, .ws-hidden, [aria-label]"; // may say its number
  const stay = (row, { dataset: { label } }) => {
    const was = row.dataset.label;
    if (was === label) return;
    row.dataset.label = label;
    for (const one of row.querySelectorAll(SAYS)) {
      const around = one.closest(".ws-members, .ws-rows, .ws-tabs, .ws-choice");
      if (around && row.contains(around)) continue; // about something in it
      if (one.ariaLabel) one.ariaLabel = one.ariaLabel.replace(was, () => label);
      for (const node of one.childNodes) if (node.nodeType === 3) node.data = node.data.replace(was, () => label);
    }
  };
  const parts = (node) => [...node.childNodes].filter((one) => one.nodeType === 1 || /\S/.test(one.data));
  const become = (old, fresh) => {
    if (old.matches(".ws-notice, .ws-preview")) return; // what was said stays, and what is shown
    if ("stays" in fresh.dataset) return stay(old, fresh);
    const { value, checked } = fresh; // read first: its text and options move into `old` below
    for (const { name } of [...old.attributes]) {
      if (!["style", "open", "data-sought"].includes(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    for (const { name, value: now } of fresh.attributes) {
      if (name !== "open" && old.getAttribute(name) !== now) old.setAttribute(name, now);
    }
    const there = new Map();
    for (const node of parts(old)) {
      const key = keyOf(shownBy(node));
      there.set(key, [...(there.get(key) || []), node]);
    }
    const pairs = parts(fresh).map((node) => [node, (there.get(keyOf(node)) || []).shift()]);
    for (const gone of [...there.values()].flat()) gone.remove();
    const left = new Set(parts(old)); // those in their place, in order
    for (const [node, same] of pairs) {
      const [at = null] = left;
      if (same !== at || !same) old.insertBefore(same || node, at);
      left.delete(same);
      if (same && same.nodeType === 1) become(shownBy(same), node);
      else if (same && same.data !== node.data) same.data = node.data;
    }
    if (old.checked !== checked && !old.matches(".ws-others")) old.checked = checked;
    if (old.matches("input:not([type='file']), select, textarea") && old.value !== value) old.value = value;
    if (old.matches(FILES)) forgetOther(old);
  };

  const byName = (sent) => {
    const values = new Map();
    for (const [name, value] of sent) values.set(name, `${values.get(name) ?? ""}\0${value}`);
    return values;
  };
  const typedSince = (form, sent) => {
    const [now, before] = [entries(form), sent].map(byName);
    return [...new Set([...before.keys(), ...now.keys()])].filter((name) => !name.endsWith("due#") && now.get(name) !== before.get(name));
  };

  const setValues = (root, name, values) => {
    for (const control of root.querySelectorAll("input, select, textarea")) {
      if (control.name !== name) continue;
      if (control.dataset.chosen && control.dataset.chosen === values[0]) control.value = values[0]; // see `chooses`
      if (control.type === "radio" || control.type === "checkbox") control.checked = values.includes(control.value);
      else if (values.length) control.value = values[0];
    }
  };

  // Pickers: they have no name, so the text beside them is what is sent

  const pencil = document.createElement("canvas").getContext("2d");
  const colourOf = (text) => {
    const [one, other] = ["#000000", "#ffffff"].map((start) => {
      pencil.fillStyle = start;
      pencil.fillStyle = text;
      return pencil.fillStyle;
    });
    if (one !== other) return null; // no colour: a gradient, a variable
    if (one.startsWith("#")) return { hex: one, alpha: 1 };
    if (!one.startsWith("rgba")) return null; // of another colour space
    const [red, green, blue, alpha] = one.match(/[\d.]+/g);
    const hex = [red, green, blue].map((number) => Number(number).toString(16).padStart(2, "0"));
    return { hex: `#${hex.join("")}`, alpha: Number(alpha) };
  };
  const withColour = (text, hex) => {
    const old = colourOf(text.trim());
    if (!old || old.alpha === 1) return hex;
    const short = /^#...(.)$/.exec(text.trim());
    const long = /^#......(..)$/.exec(text.trim());
    if (short) return `${hex}${short[1]}${short[1]}`;
    if (long) return `${hex}${long[1]}`;
    const numbers = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    return `rgba(${numbers.join(", ")}, ${old.alpha})`;
  };

  const TIME = /^(\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|z|[+-]\d\d:\d\d)?$/;
  const pickable = (kind, text) => {
    if (kind === "date") return /^\d{4}-\d\d-\d\d$/.test(text) ? text : "";
    const match = TIME.exec(text);
    return match ? `${match[1]}:${match[2] || "00"}` : "";
  };
  const withPicked = (kind, text, picked) => {
    if (kind === "date" || !picked) return picked || text;
    const old = TIME.exec(text);
    const [, , oldSeconds, fraction = "", offset = ""] = old || [];
    const [hours, minutes, seconds = "00"] = picked.split(":");
    return `${hours}:${minutes}:${seconds}${oldSeconds === seconds ? fraction : ""}${old ? offset : "Z"}`;
  };

  const typed = (control, text) => {
    if (control.value === text) return;
    control.value = text;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const labelOf = (control) => {
    const label = control.closest(".ws-field").querySelector(".ws-label");
    return label.firstChild.textContent.trim();
  };

  const follow = (control) => {
    const slider = sliderOf(control);
    if (slider) {
      const text = control.value.trim();
      slider.value = text || slider.min; // the least value is no value yet: it looks so
      slider.classList.toggle("ws-blank", text === "" || Number(slider.value) !== Number(text));
    }
    const picker = control.parentElement.querySelector("input[type='color']");
    if (!picker) return;
    const colour = colourOf(control.value.trim());
    picker.value = colour ? colour.hex : "#000000";
    picker.classList.toggle("ws-blank", !colour);
  };
  const colourPicker = (control) => {
    const picker = make("input", { type: "color", class: "ws-picker", autocomplete: "off", tabindex: "-1" });
    control.addEventListener("input", () => follow(control));
    picker.addEventListener("input", (event) => {
      event.stopPropagation();
      typed(control, withColour(control.value, picker.value));
    });
    return [picker];
  };

  // A slider beside its number: the number is what is sent, and can be without a value.
  const sliderOf = (control) => control.parentElement.querySelector(":scope > input[type='range']");
  const sliderPicker = (control) => {
    const { low: min, high: max, step } = control.dataset;
    const slider = make("input", { type: "range", class: "ws-picker ws-slider", min, max, step, autocomplete: "off", tabindex: "-1" });
    control.addEventListener("input", () => follow(control));
    slider.addEventListener("input", (event) => {
      event.stopPropagation();
      typed(control, slider.value);
    });
    slider.addEventListener("click", () => typed(control, slider.value)); // also where it is already
    return [slider];
  };
  const slide = (control, step) => {
    const slider = sliderOf(control);
    if (control.value.trim() !== "") slider[step > 0 ? "stepUp" : "stepDown"]();
    typed(control, slider.value);
  };
  const PICKERS = { colour: colourPicker, slider: sliderPicker };
  const calendarPicker = (control, type) => {
    const native = make("input", { type, class: "ws-hidden", tabindex: "-1", "aria-hidden": "true" });
    if (type === "time") native.step = "1";
    if (!native.showPicker || native.type !== type) return [];
    const button = make("button", { type: "button", class: "ws-picker ws-calendar", tabindex: "-1" });
    const around = make("span", { class: "ws-anchor" });
    around.append(button, native);
    button.addEventListener("click", () => {
      native.value = pickable(type, control.value.trim());
      native.showPicker();
    });
    native.addEventListener("input", (event) => {
      event.stopPropagation();
      typed(control, withPicked(type, control.value.trim(), native.value));
    });
    return [around];
  };

  const withPicker = (control) => {
    const kind = control.dataset.picker;
    if (kind === "date-time") return withMoment(control);
    const pickers = PICKERS[kind] ? PICKERS[kind](control) : calendarPicker(control, kind);
    if (!pickers.length) return;
    const focused = document.activeElement === control;
    const around = make("span", { class: "ws-picked" });
    control.replaceWith(around);
    around.append(control, ...pickers);
    if (focused) control.focus({ preventScroll: true });
  };

  // A moment: a date, a time of day, and an offset from UTC. Each is written into its part of the
  // text, so that what is not edited keeps its spelling. A text that they cannot show stands there.

  const MOMENT = /^(\d{4}-\d\d-\d\d)([Tt ])(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
  const LOCAL = "local"; // the visitor's time zone, by the date
  const OFFSETS = `-12:00 -11:00 -10:00 -09:30 -09:00 -08:00 -07:00 -06:00 -05:00 -04:00 -03:30 -03:00 -02:00
    -01:00 +01:00 +02:00 +03:00 +03:30 +04:00 +04:30 +05:00 +05:30 +05:45 +06:00 +06:30 +07:00 +08:00 +08:45
    +09:00 +09:30 +10:00 +10:30 +11:00 +12:00 +12:45 +13:00 +14:00`.split(/\s+/);
  const zoneName = (near) =>
    new Intl.DateTimeFormat().resolvedOptions().timeZone || phrase(near, "moment-your-zone");
  const wallClock = (date, time) => {
    const [[year, month, day], [hours, minutes]] = [date.split("-").map(Number), time.split(":").map(Number)];
    const [wall, there] = [new Date(0), new Date(0)];
    wall.setUTCFullYear(year, month - 1, day);
    wall.setUTCHours(hours, minutes);
    there.setFullYear(year, month - 1, day);
    there.setHours(hours, minutes, 0, 0);
    return { wall, offset: Math.round((wall - there) / 60_000) }; // minutes, of the visitor
  };
  const two = (number) => String(number).padStart(2, "0");
  const offsetText = (minutes) => {
    const size = Math.abs(minutes);
    return minutes ? `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}` : "Z";
  };
  const minutesOf = (zone) => {
    const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) || [null, "+", 0, 0];
    return (sign === "-" ? -1 : 1) * (60 * Number(hours) + Number(minutes));
  };
  const momentOf = (around) => {
    const [control, date, time, zone, note, own] = around.children;
    return { control, date, time, zone, note, own };
  };
  // What the parts can show of a text: all of it, or nothing.
  const momentParts = (text, { date, time }) => {
    const [, day, mark, clock, zone = ""] = MOMENT.exec(text) || [];
    if (!day) return null;
    for (const [native, value] of [[date, day], [time, clock]]) {
      const probe = make("input", { type: native.type });
      probe.value = value;
      if (probe.value !== value) return null;
    }
    return { day, mark, clock, zone };
  };
  const zoneLabel = (near, zone) => {
    if (!zone) return phrase(near, "moment-no-zone");
    return zone === "Z" ? "UTC" : zone === "z" ? "UTC (z)" : `UTC${zone}`;
  };
  // Not before somebody chooses: a list of moments would be a list of thousands.
  const offerZones = (zone) => {
    if (zone.options.length > OFFSETS.length) return;
    const { value } = zone;
    zone.length = 1;
    for (const offset of ["Z", ...OFFSETS]) zone.add(new Option(zoneLabel(zone, offset), offset));
    selectZone(zone, value);
  };
  const labelLocal = (zone, day, clock) => {
    const { offset } = wallClock(day, clock);
    const [name, shift] = [zoneName(zone), offset ? `UTC${offsetText(offset)}` : "UTC"];
    zone.options[0].text = name === shift ? name : `${name} (${shift})`;
  };
  const selectZone = (zone, value) => {
    const there = [...zone.options].some((one) => one.value === value);
    if (!there) zone.add(new Option(zoneLabel(zone, value), value));
    if (zone.value !== value) zone.value = value;
  };
  const elsewhere = (near, { day, clock, zone }) => {
    const { wall, offset } = wallClock(day, clock);
    if (!zone || minutesOf(zone) === offset) return "";
    const moment = new Date(wall - minutesOf(zone) * 60_000);
    const words = new Intl.DateTimeFormat(language(near), { dateStyle: "medium", timeStyle: "short" });
    return phrase(near, "moment-elsewhere", { moment: words.format(moment), zone: zoneName(near) });
  };
  // The offset of a stored time stays when its date is moved to where the visitor's zone has another
  // one, in winter, say: that is said, and the zone's own is offered.
  const ownOffset = ({ dataset }, { day, clock, zone }) => {
    const [, was, , at, before] = MOMENT.exec(dataset.first) || [];
    const isStale = was && zone && before === zone && minutesOf(zone) === wallClock(was, at).offset;
    const { offset } = isStale ? wallClock(day, clock) : {};
    return isStale && offset !== minutesOf(zone) ? `UTC${offset ? offsetText(offset) : ""}` : "";
  };
  const showMoment = (control, problem = "") => {
    const around = control.parentElement;
    const { date, time, zone, note, own } = momentOf(around);
    const text = control.value;
    const parts = momentParts(text, { date, time });
    const isTypedHere = control === document.activeElement && !control.matches(".ws-hidden");
    const asText = isTypedHere || "text" in around.dataset || (text !== "" && !parts);
    for (const native of [date, time, zone]) native.hidden = asText;
    control.classList.toggle("ws-hidden", !asText);
    setOrRemove(control, "aria-hidden", !asText && "true");
    control.tabIndex = asText ? 0 : -1;
    const label = control.closest(".ws-field").querySelector("label.ws-label");
    label.htmlFor = asText ? control.id : date.id;
    const active = document.activeElement;
    const { day = "", clock = "" } = parts || {};
    const isIncomplete = (native) => native === active && native.validity.badInput; // somebody is typing
    const hadDate = date.value !== "";
    if (!isIncomplete(date) && date.value !== day) date.value = day;
    const step = /:00$|^.....$/.test(clock) || !clock ? "60" : clock.includes(".") ? "0.001" : "1";
    if (time.step !== step) time.step = step; // which begins a number that is being typed anew
    const isSame = [clock, clock.replace(/:00$/, "")].includes(time.value);
    if (!isIncomplete(time) && !isSame && (clock || hadDate)) time.value = clock;
    const today = new Date();
    labelLocal(zone, day || date.value || `${today.getFullYear()}-${today.getMonth() + 1}-${today.getDate()}`, clock || "12:00");
    const isLocal = parts && around.dataset.zone === LOCAL && minutesOf(parts.zone) === wallClock(day, clock).offset;
    if (parts) selectZone(zone, isLocal ? LOCAL : parts.zone);
    else if (text === "" && active !== zone) zone.value = LOCAL;
    const isTimeAlone = text === "" && time.value && !date.validity.badInput;
    const unset = isTimeAlone ? phrase(control, "moment-needs-date") : text === "" && control.placeholder !== (menuOf(control) || control).dataset.hint ? control.placeholder : "";
    note.textContent = problem || (asText ? (parts || text === "" ? "" : phrase(control, "moment-not-shown")) : parts ? elsewhere(control, parts) : unset);
    const offered = parts && !asText && !problem ? ownOffset(around, parts) : "";
    own.hidden = !offered;
    if (offered) {
      note.textContent = phrase(control, "moment-stays", { offset: zoneLabel(control, parts.zone), own: offered, zone: zoneName(control) });
      own.textContent = phrase(control, "moment-use", { offset: offered });
    }
    mirrorMoment(control);
    offerText(control, asText, parts || text === "");
  };
  // What is said of the text is said of the parts, which stand for it.
  const mirrorMoment = (control) => {
    const { date, time, zone, note } = momentOf(control.parentElement);
    const described = [control.getAttribute("aria-describedby"), note.textContent && note.id].filter(Boolean).join(" ");
    for (const native of [date, time, zone]) {
      setOrRemove(native, "aria-describedby", described);
      for (const name of native === zone ? ["aria-invalid"] : ["aria-invalid", "aria-required"]) {
        setOrRemove(native, name, control.getAttribute(name));
      }
    }
    setOrRemove(control, "aria-description", note.textContent);
  };
  const writeMoment = (around, edited) => {
    const { control, date, time, zone } = momentOf(around);
    const parts = momentParts(control.value, { date, time });
    if (edited.validity.badInput || (edited === time && !time.value && parts)) {
      return showMoment(control, phrase(control, "moment-incomplete"));
    }
    around.dataset.zone = zone.value;
    if (!date.value) {
      if (edited === date) {
        time.value = "";
        typed(control, "");
      }
      return showMoment(control);
    }
    const isNewTime = !parts || edited === time;
    const picked = time.value ? (time.value.length === 5 ? `${time.value}:00` : time.value) : "00:00:00";
    const clock = isNewTime ? picked : parts.clock;
    const offset = zone.value === LOCAL ? offsetText(wallClock(date.value, clock).offset) : zone.value;
    typed(control, `${date.value}${parts ? parts.mark : "T"}${clock}${offset}`);
    showMoment(control);
  };
  const withMoment = (control) => {
    const around = make("span", { class: "ws-picked ws-moment" });
    const label = labelOf(control);
    const focused = document.activeElement === control;
    const part = (name, attributes) => make(name, { class: "ws-input ws-part", autocomplete: "off", ...attributes });
    const date = part("input", { type: "date", id: `${control.id}:date`, max: "9999-12-31" });
    const time = part("input", { type: "time", id: `${control.id}:time`, "aria-label": phrase(control, "moment-time", { label }) });
    const zone = part("select", { id: `${control.id}:zone`, "aria-label": phrase(control, "moment-zone", { label }) });
    const note = make("span", { class: "ws-help ws-note", id: `${control.id}:note` });
    const own = make("button", { type: "button", class: "ws-button ws-use" });
    own.addEventListener("click", () => {
      zone.value = LOCAL;
      writeMoment(around, zone);
      zone.focus();
    });
    around.dataset.first = control.value;
    zone.add(new Option("", LOCAL));
    for (const name of ["focus", "pointerdown"]) zone.addEventListener(name, () => offerZones(zone));
    control.replaceWith(around);
    around.append(control, date, time, zone, note, own);
    for (const native of [date, time, zone]) {
      native.addEventListener("input", (event) => {
        event.stopPropagation();
        writeMoment(around, native);
      });
    }
    control.addEventListener("input", () => showMoment(control));
    control.addEventListener("focus", () => {
      if (control.matches(".ws-hidden")) date.focus({ preventScroll: true });
    });
    control.addEventListener("blur", () => setTimeout(() => { if (control.isConnected) showMoment(control); }));
    showMoment(control);
    if (focused) control.focus({ preventScroll: true });
  };
  // The text on demand: an item of the menu of the field.
  const offerText = (control, asText, canShow) => {
    const field = control.closest(".ws-field");
    let menu = menuOf(control);
    if (!menu) {
      menu = make("details", { class: "ws-more" });
      const more = { title: phrase(control, "more"), "aria-label": phrase(control, "more-for", { label: labelOf(control) }) };
      menu.append(make("summary", { tabindex: "-1", ...more }));
      menu.append(make("fieldset", { class: "ws-menu" }));
      field.querySelector(":scope > .ws-picked").after(menu);
    }
    let item = menu.querySelector("button.ws-item");
    if (!item) {
      item = make("button", { type: "button", class: "ws-item" });
      item.addEventListener("click", () => {
        const { control: text, date } = momentOf(field.querySelector(":scope > .ws-moment"));
        const { dataset } = text.parentElement;
        if (text.matches(".ws-hidden")) dataset.text = "1";
        else delete dataset.text;
        menu.open = false;
        showMoment(text);
        (text.matches(".ws-hidden") ? date : text).focus();
      });
      menu.querySelector(".ws-menu").append(item);
    }
    item.textContent = asText ? phrase(control, "moment-as-parts") : phrase(control, "moment-as-text");
    item.hidden = !canShow;
  };

  // A list of many values to select from can be searched: what is chosen stays in the list, which is
  // what is sent.

  const MANY = 12; // values that people look through
  const MOST = 200; // that are shown at once
  const matching = (select, text) => {
    const words = text.trim().toLowerCase().split(/\s+/);
    return [...select.options].filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  };
  const partsOf = (search) => {
    const around = search.parentElement;
    return { select: around.querySelector("select"), list: around.querySelector(".ws-options") };
  };
  const showChosen = (search) => {
    const { select, list } = partsOf(search);
    search.value = select.selectedIndex < 0 ? "" : select.selectedOptions[0].label;
    search.setAttribute("aria-expanded", "false");
    search.removeAttribute("aria-activedescendant");
    list.hidden = true;
  };
  const activeOption = (search) => document.getElementById(search.getAttribute("aria-activedescendant"));
  const activate = (search, item) => {
    for (const other of partsOf(search).list.children) other.classList.toggle("ws-active", other === item);
    if (!item) return search.removeAttribute("aria-activedescendant");
    search.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  };
  const listMatching = (search, text) => {
    const { select, list } = partsOf(search);
    const found = matching(select, text);
    list.replaceChildren(...found.slice(0, MOST).map((option) => {
      const chosen = String(option.selected);
      const item = make("li", { role: "option", id: `${list.id}:${option.index}`, "aria-selected": chosen });
      item.textContent = option.label;
      item.dataset.at = option.index;
      return item;
    }));
    if (found.length > MOST || !found.length) {
      const rest = make("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" });
      rest.textContent = found.length ? phrase(search, "not-listed", { number: found.length - MOST }) : phrase(search, "not-found");
      list.append(rest);
    }
    list.hidden = false;
    search.setAttribute("aria-expanded", "true");
    activate(search, text ? list.querySelector("[data-at]") : list.querySelector("[aria-selected='true']"));
  };
  const choose = (search, item) => {
    const { select } = partsOf(search);
    if (item && item.dataset.at !== undefined && select.selectedIndex !== Number(item.dataset.at)) {
      select.selectedIndex = Number(item.dataset.at);
      select.dispatchEvent(new Event("input", { bubbles: true }));
    }
    showChosen(search);
  };
  const searchKey = (event) => {
    const search = event.target;
    const { list } = partsOf(search);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.hidden) listMatching(search, "");
    else if (step) {
      const items = [...list.querySelectorAll("[data-at]")];
      const active = activeOption(search);
      activate(search, !active && step < 0 ? items.at(-1) : beside(items, active, step));
    } else if (event.key === "Enter" && !list.hidden) choose(search, activeOption(search));
    else if (event.key === "Escape" && !list.hidden) showChosen(search);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const withSearch = (select) => {
    const around = make("span", { class: "ws-picked ws-searched" });
    const search = make("input", { type: "text", class: "ws-input", role: "combobox", autocomplete: "off" });
    const list = make("ul", { class: "ws-options", role: "listbox", id: `${select.id}:list` });
    for (const [name, value] of [["aria-autocomplete", "list"], ["aria-controls", list.id], ["spellcheck", "false"]]) {
      search.setAttribute(name, value);
    }
    select.replaceWith(around);
    around.append(select, search, list);
    search.addEventListener("keydown", searchKey);
    search.addEventListener("click", () => listMatching(search, ""));
    search.addEventListener("input", (event) => {
      event.stopPropagation();
      listMatching(search, search.value);
    });
    search.addEventListener("focus", () => search.select());
    search.addEventListener("blur", () => showChosen(search));
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays
    list.addEventListener("click", (event) => choose(search, event.target.closest("[data-at]")));
    select.addEventListener("focus", () => search.focus());
  };
  // What is said of the list is said of the search, which stands for it.
  const mirror = (select) => {
    const search = select.parentElement.querySelector("[role='combobox']");
    select.classList.add("ws-hidden");
    select.tabIndex = -1;
    select.setAttribute("aria-hidden", "true");
    for (const name of ["aria-describedby", "aria-invalid", "aria-required"]) {
      setOrRemove(search, name, select.getAttribute(name));
    }
    search.setAttribute("aria-label", labelOf(select));
    search.parentElement.querySelector(".ws-options").setAttribute("aria-label", labelOf(select));
    if (search !== document.activeElement) showChosen(search);
  };

  // What is in one alternative goes with whoever chooses another one, as far as that can hold it.
  // It is asked for as if there were a button for it.
  const carries = (root, control) => {
    const isChoice = control.matches(".ws-branch > .ws-choice > input, .ws-type > select"); // or of a free value
    const branches = isChoice && control.closest("[data-carry]");
    if (!branches || branches.dataset.chosen === control.value) return false;
    const value = `${branches.dataset.carry};${branches.dataset.chosen}`;
    branches.dataset.chosen = control.value;
    for (const others of branches.querySelectorAll(".ws-others")) others.checked = true; // one is among them
    press(root, { get name() { return branches.dataset.do; }, value }); // a row may get another one
    return true;
  };

  // Finding fields: by words in their labels and values, only those that are set or have findings

  const FEW = 8; // fields among which nobody searches
  const finders = new WeakMap();
  const finderOf = (root) => {
    if (finders.has(root)) return finders.get(root);
    const box = make("div", { class: "ws-find", role: "search" });
    const search = make("input", { type: "search", class: "ws-input", "aria-label": phrase(root, "find"), autocomplete: "off" });
    search.placeholder = phrase(root, "find-by-key");
    const buttons = [["set", "only-set"], ["found", "only-found"]].map(([kind, name]) => {
      const button = make("button", { type: "button", class: "ws-filter", "aria-pressed": "false" });
      button.dataset.kind = kind;
      button.textContent = phrase(root, name);
      button.tabIndex = kind === "set" ? 0 : -1; // arrows lead from one to the other
      return button;
    });
    const matches = make("p", { class: "ws-matches" });
    box.append(search, ...buttons, matches);
    finders.set(root, { box, search, buttons, matches });
    search.addEventListener("input", (event) => {
      event.stopPropagation();
      find(root);
    });
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        const first = root.querySelector(".ws-field:not(.ws-out, .ws-closed)");
        const control = first && first.querySelector(".ws-input:not(.ws-hidden), input:not([type='hidden'])");
        if (control) control.focus();
      } else if (event.key === "Escape") {
        search.value = "";
        find(root);
      } else return;
      event.preventDefault();
    });
    for (const button of buttons) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
        find(root);
      });
    }
    return finders.get(root);
  };
  const GROUPS = ".ws-group, .ws-section";
  const nameOf = (group) => {
    const names = group.querySelectorAll(":scope > .ws-legend, :scope > .ws-fold > summary");
    return [...names].map((one) => one.textContent).join(" ");
  };
  const wordsOf = (field) => {
    const about = field.querySelectorAll(":scope > .ws-label, :scope > .ws-help, .ws-choice > :checked + span");
    const values = [...field.querySelectorAll(".ws-input:not(.ws-hidden)")].map((one) => (one.options ? "" : one.value));
    const selected = [...field.querySelectorAll("select:not([data-carry])")].flatMap((one) => [...one.selectedOptions].map(({ label }) => label));
    const words = [...[...about].map((one) => one.textContent), ...values, ...selected];
    for (let group = field.closest(GROUPS); group; group = group.parentElement.closest(GROUPS)) words.push(nameOf(group));
    return words.join(" ").toLowerCase();
  };
  const find = (root) => {
    const { search, buttons, matches } = finderOf(root);
    const [onlySet, onlyFound] = buttons.map((button) => button.getAttribute("aria-pressed") === "true");
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const seeks = words.length > 0 || onlySet || onlyFound;
    const has = (text) => words.every((word) => text.includes(word));
    let number = 0;
    for (const field of root.querySelectorAll(".ws-field")) {
      const fits = !seeks || (!field.closest("[hidden]") &&
        (!words.length || has(wordsOf(field))) && (!onlySet || isSet(field)) && (!onlyFound || field.querySelector(".ws-errors"))
      );
      field.classList.toggle("ws-out", !fits);
      if (fits && counts(field)) number += 1;
    }
    for (const group of root.querySelectorAll(`${GROUPS}, .ws-row`)) {
      const own = group.matches(GROUPS) && group.querySelector(":scope > .ws-errors, :scope > .ws-fold > .ws-errors");
      const isEmpty = !group.querySelector(".ws-field") && words.length > 0 && !onlySet && !onlyFound && has(nameOf(group).toLowerCase());
      const fits = !seeks || isEmpty || group.querySelector(".ws-field:not(.ws-out)") || (own && !onlySet && !words.length);
      group.classList.toggle("ws-out", !fits);
    }
    for (const tabs of root.querySelectorAll(".ws-tabs")) {
      tabs.classList.toggle("ws-sought", Boolean(seeks)); // all are open, below each other
      for (const tab of tabs.children) {
        if (seeks) tab.removeAttribute("name");
        tab.classList.toggle("ws-out", !tab.querySelector(".ws-field:not(.ws-out)"));
      }
    }
    for (const fold of root.querySelectorAll(".ws-fold, .ws-tab")) {
      if (seeks && !fold.open) {
        fold.dataset.sought = "1"; // it closes again when the search is over
        fold.open = true;
      } else if (!seeks && fold.dataset.sought) {
        fold.open = false;
        setTimeout(() => { delete fold.dataset.sought; }); // after the event of the change
      }
    }
    for (const tab of seeks ? [] : root.querySelectorAll(".ws-tab:not([name])")) tab.setAttribute("name", `${tab.id.slice(0, tab.id.lastIndexOf(":"))}:tabs`);
    matches.textContent = seeks ? phrase(root, "found", { number }) : "";
    if (seeks) say(root, matches.textContent);
  };
  const endSearch = (root) => {
    const { search, buttons } = finderOf(root);
    search.value = "";
    for (const button of buttons) button.setAttribute("aria-pressed", "false");
    find(root);
  };
  const showFinder = (root) => {
    if (root.querySelectorAll(".ws-field").length <= FEW) return;
    const { box } = finderOf(root);
    if (!box.isConnected) (root.querySelector(".ws-nav") || root.querySelector(".ws-main")).prepend(box);
    if (root.querySelector(".ws-out") || box.querySelector("[aria-pressed='true']") || box.firstElementChild.value) find(root);
  };

  // While style sheets load, Chromium may leave the content of a form undrawn until a style in it changes.
  const drawContent = (root) => {
    const content = root.querySelector(".ws-layout");
    if (!content || !root.offsetWidth || content.getClientRects().length) return;
    content.style.display = "none";
    root.getClientRects();
    content.style.removeProperty("display");
  };
  const sizes = new ResizeObserver((changes) =>
    requestAnimationFrame(() => { for (const { target } of changes) drawContent(target); }));

  const enhance = (root) => {
    root.classList.add("ws-scripted");
    sizes.observe(root);
    for (const select of root.querySelectorAll("select.ws-input[name]")) {
      const has = select.parentElement.matches(".ws-searched");
      if (!has && select.options.length > MANY) withSearch(select);
      if (has || select.options.length > MANY) mirror(select);
    }
    for (const one of root.querySelectorAll(":is(.ws-more > summary, .ws-tool, .ws-type > *):not([tabindex])")) one.tabIndex = -1;
    for (const list of root.querySelectorAll(".ws-tick-list")) {
      const ticks = [...list.querySelectorAll("input")];
      const stop = ticks.find((one) => one === document.activeElement) || ticks[0];
      for (const one of ticks) one.tabIndex = one === stop ? 0 : -1;
    }
    if (root.dataset.live) addGrips(root);
    foldSections(root);
    recount(root);
    showPlace();
    showFinder(root);
    for (const control of root.querySelectorAll("input[data-picker]")) {
      if (!control.parentElement.matches(".ws-picked")) withPicker(control);
      if (control.parentElement.matches(".ws-moment")) showMoment(control);
      const picker = control.parentElement.querySelector(".ws-picker");
      if (picker) picker.setAttribute("aria-label", phrase(control, "pick", { label: labelOf(control) }));
      follow(control);
    }
  };

  // Typing into a field that is not set sets it; without the text again, it is what it was. What
  // an empty control means stands in it.
  const menuOf = (control) => {
    const field = control.closest(".ws-field");
    return field && field.querySelector(":scope > .ws-more");
  };
  const isTyped = (control) =>
    control.matches("input.ws-input, textarea.ws-input") && /^([\w-]+\.)?#/.test(control.name);
  const stateOf = (menu) => menu.querySelector("[data-state]:checked");
  const showState = (text, menu) => {
    const { dataset, nextElementSibling: label } = stateOf(menu);
    text.placeholder = ["null", "empty"].includes(dataset.state) ? label.textContent : menu.dataset.hint;
  };
  const sets = (control) => {
    const menu = (isTyped(control) || control.matches(TICK)) && menuOf(control);
    if (!menu || !stateOf(menu)) return;
    if (control.matches(TICK)) {
      const any = control.closest(".ws-tick-list").querySelector(":checked");
      menu.querySelector(any ? "[data-state='set']" : "[data-was]").checked = true;
      return;
    }
    const isSecret = control.type === "password"; // one that is empty keeps what is stored
    const wanted = control.value === "" ? `[data-was]${isSecret ? "" : ":not([data-state='kept'])"}` : "[data-state='set']";
    const option = menu.querySelector(wanted);
    if (!option || (control.value === "" && stateOf(menu).dataset.state !== "set")) return;
    if (option.checked) return;
    option.checked = true;
    showState(control, menu);
  };

  // A state that is chosen says so: what was typed is no reason any more to set the field. The text
  // before it comes back if the field is set again.
  const emptied = new WeakMap();
  const chooses = (option) => {
    if (!option.matches(".ws-item > [data-state]")) return;
    if (option.dataset.chosen) option.value = option.dataset.chosen;
    const menu = option.closest(".ws-more");
    if (option.dataset.state !== "set") for (const tick of menu.parentElement.querySelectorAll(`${TICK}:checked`)) tick.checked = false;
    const text = menu.dataset.hint !== undefined && menu.parentElement.querySelector("input.ws-input, textarea.ws-input");
    if (!text) return;
    const { state } = option.dataset;
    if (text.matches(FILES)) {
      if (state !== "set") choosesFile(text, "");
      text.parentElement.firstElementChild.hidden = !["set", "kept"].includes(state); // what is stored
      return;
    }
    if (["unset", "null", "empty"].includes(state)) {
      if (text.value !== "") emptied.set(text, text.value);
      text.value = "";
    } else if (text.value === "" && emptied.has(text)) {
      text.value = emptied.get(text);
    }
    showState(text, menu);
    if (text.parentElement.matches(".ws-moment")) showMoment(text);
    follow(text);
  };

  // The menus: one is open at a time, and closes when somebody goes elsewhere.
  const closeMenu = (menu, focuses) => {
    menu.open = false;
    const text = menu.parentElement.querySelector(":scope > .ws-input, :scope > .ws-picked > .ws-input");
    if (focuses) (text || menu.firstElementChild).focus();
  };
  const MENUS = [":scope > .ws-type", ":scope > .ws-more", ":scope > .ws-tools"].join();
  const openMenu = (from) => {
    const places = `${HOLDERS}, .ws-row`;
    let place = from.closest(places);
    const menus = place ? [...place.querySelectorAll(MENUS)] : [];
    let menu = menus[menus.findIndex((one) => one.contains(from)) + 1];
    while (place && !menu) {
      place = place.parentElement.closest(places);
      menu = place && place.querySelector(MENUS);
    }
    if (!menu) return;
    if (menu.matches(".ws-more")) menu.open = true;
    (stateOf(menu) || menu.querySelector("input") || menu.firstElementChild).focus();
  };
  const besideTool = (tool, kind, step) => {
    beside([...tool.parentElement.querySelectorAll(kind)], tool, step).focus();
  };
  const besideTick = (tick, step) => {
    const ticks = [...tick.closest(".ws-tick-list").querySelectorAll("input")];
    const next = beside(ticks, tick, step);
    for (const one of ticks) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  };
  const SLIDES = { ArrowUp: 1, ArrowDown: -1 };
  const MOVES = { ArrowUp: "up", ArrowDown: "down" };
  const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  // A click in a menu may give the focus to what is around the menu: that is no reason to close it.
  const closeOthers = ({ type, target }) => {
    for (const menu of document.querySelectorAll(".ws-form .ws-more[open]")) {
      const isAround = type === "focusin" && target.contains(menu);
      if (!isAround && !menu.contains(target)) closeMenu(menu, false);
    }
  };
  for (const name of ["pointerdown", "focusin"]) listen(name, closeOthers);

  // A file that is chosen becomes the text in base64 that the server would make of it, in the hidden
  // control beside it; `shown` is what is said of it.
  const kept = new WeakMap();
  const storedIn = ({ parentElement: { firstElementChild: place } }) => {
    if (!kept.has(place)) kept.set(place, [...place.children]);
    return kept.get(place);
  };
  const textOf = new WeakMap(); // by input: the text of its file, when it was read
  // The text counts: otherwise, a file would be sent with the page after its choice was undone.
  const forgetOther = (input) => {
    if (textOf.has(input) && textOf.get(input) !== input.previousElementSibling.value) input.value = "";
  };
  const choosesFile = (input, text, ...shown) => {
    textOf.set(input, text);
    storedIn(input);
    const [place, hidden] = input.parentElement.children;
    if (!text) input.value = "";
    if (hidden.value === text && !shown.length) return;
    hidden.value = text;
    place.replaceChildren(...(shown.length ? shown : storedIn(input)));
    place.hidden = false;
    hidden.dispatchEvent(new Event("input", { bubbles: true }));
    left.add(hidden);
  };
  listen("change", ({ target }) => {
    if (!target.matches(FILES)) return;
    const [file] = target.files;
    textOf.delete(target);
    if (!file) return choosesFile(target, "");
    const name = make("span", {});
    name.textContent = file.name;
    const most = Number(target.dataset.most);
    if (file.size > most || !file.size) {
      name.textContent = file.size ? phrase(target, "too-large", { most: target.dataset.mostText }) : phrase(target, "empty-file");
      choosesFile(target, "", ...storedIn(target), name);
      return say(rootOf(target), name.textContent);
    }
    const menu = menuOf(target);
    if (menu) menu.querySelector("[data-state='set']").checked = true;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (target.files[0] !== file) return; // another one meanwhile
      const isPicture = /^image\/(gif|jpeg|png|webp)$/.test(file.type);
      const picture = isPicture ? [make("img", { class: "ws-thumbnail", alt: "", src: reader.result })] : [];
      for (const one of picture) one.addEventListener("error", () => one.remove()); // it is none
      choosesFile(target, reader.result.split(",")[1] || "", ...picture, name);
    });
    reader.readAsDataURL(file);
  });

  // A picture beside its address: another one when that was edited, and none if it cannot be loaded.
  listen("change", ({ target }) => {
    const picture = target.matches(".ws-url > .ws-input") && target.parentElement.querySelector(".ws-thumbnail");
    if (!picture) return;
    picture.hidden = !target.value.startsWith("https://");
    if (!picture.hidden) picture.src = target.value;
  });
  listen("error", ({ target }) => {
    if (near(target, ".ws-url > .ws-thumbnail")) target.hidden = true;
  }, true);

  // A text area grows with its text, where the style sheet cannot do it.
  const GROWS = CSS.supports("field-sizing", "content");
  listen("input", ({ target }) => {
    if (!GROWS && target.matches(".ws-form textarea.ws-input") && target.scrollHeight > target.clientHeight) {
      target.rows = Math.min(24, Math.max(target.rows, target.value.split("\n").length) + 1);
    }
  });

  // Rows are dragged by their grips, with a mouse or a finger; buttons and keys do the same. Only the
  // order and the ends are changed here: the next check answers with the rows under their new numbers.
  let drag = null;
  const addGrips = (root) => {
    for (const tool of root.querySelectorAll(".ws-row > .ws-tools > [value^='up#']")) {
      if (tool.parentElement.querySelector(".ws-grip")) continue;
      tool.parentElement.append(make("span", { class: "ws-grip", "aria-hidden": "true", title: phrase(root, "drag") }));
    }
  };
  const unmark = () => {
    for (const row of drag.rows) delete row.dataset.drop;
  };
  const follows = () => {
    const { rows, row, y } = drag;
    unmark();
    const places = rows.map((one) => one.getBoundingClientRect());
    const below = places.findIndex(({ top, bottom }) => y < (top + bottom) / 2);
    drag.to = below < 0 ? rows.length : below; // it comes before this one
    const from = rows.indexOf(row);
    if (drag.to === from || drag.to === from + 1) drag.to = -1; // where it is
    else if (drag.to < rows.length) rows[drag.to].dataset.drop = "before";
    else rows.at(-1).dataset.drop = "after";
  };
  const scrolls = () => {
    if (!drag) return;
    const step = drag.y < 48 ? -8 : drag.y > window.innerHeight - 48 ? 8 : 0;
    if (step) {
      window.scrollBy({ top: step, behavior: "instant" });
      follows();
    }
    requestAnimationFrame(scrolls);
  };
  const endDrag = (isDropped) => {
    const { row, rows, to } = drag;
    unmark();
    row.classList.remove("ws-dragged");
    drag = null;
    const list = row.parentElement;
    const order = list && list.previousElementSibling;
    if (!isDropped || to < 0 || !order || !row.isConnected) return;
    const ids = order.value.split(",");
    const from = rows.indexOf(row);
    const at = to > from ? to - 1 : to;
    const { activeElement: active } = document;
    ids.splice(at, 0, ...ids.splice(from, 1));
    list.insertBefore(row, rows[to] || null);
    for (const tool of list.querySelectorAll(":scope > .ws-row > .ws-tools > :is([value^='up#'], [value^='down#'])")) {
      const end = tool.value.startsWith("up#") ? list.firstElementChild : list.lastElementChild;
      setOrRemove(tool, "aria-disabled", end.contains(tool) && "true");
    }
    if (row.contains(active)) active.focus({ preventScroll: true });
    const label = row.querySelector(".ws-legend, .ws-label").textContent.trim();
    say(rootOf(row), phrase(row, "moved", { label, position: at + 1, number: rows.length }));
    order.value = ids.join(",");
    order.dispatchEvent(new Event("input", { bubbles: true }));
  };
  listen("pointerdown", (event) => {
    const grip = near(event.target, ".ws-grip");
    if (!grip || event.button !== 0 || drag) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    const row = grip.closest(".ws-row");
    drag = { row, rows: [...row.parentElement.children], pointer: event.pointerId, y: event.clientY, to: -1 };
    row.classList.add("ws-dragged");
    requestAnimationFrame(scrolls);
  });
  listen("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    drag.y = event.clientY;
    follows();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    listen(name, (event) => {
      if (drag && event.pointerId === drag.pointer) endDrag(name === "pointerup");
    });
  }
  listen("keydown", (event) => {
    if (drag && event.key === "Escape") endDrag(false);
  });

  // What was emptied can be brought back, until somebody types something else.
  const offerBack = (control) => {
    const field = control.closest(".ws-field");
    const there = field.querySelector(":scope > .ws-removed");
    if (control.value !== "" || control.defaultValue === "") {
      if (there && control.value !== "") there.remove();
      return;
    }
    if (there) return;
    const notice = make("p", { class: "ws-removed" });
    const button = make("button", { type: "button", class: "ws-button" });
    button.textContent = phrase(control, "undo");
    button.setAttribute("aria-label", phrase(control, "undo-of", { label: labelOf(control) }));
    button.addEventListener("click", () => {
      typed(control, control.defaultValue);
      control.focus();
    });
    notice.append(phrase(control, "removed"), " ", button);
    field.append(notice);
  };
  listen("change", ({ target }) => {
    if (!near(target, ".ws-form")) return;
    const menu = target.closest(".ws-more");
    const control = menu ? menu.parentElement.querySelector(".ws-input") : target;
    if (control && isTyped(control)) {
      released().then(() => { if (control.isConnected) holding(rootOf(control), () => offerBack(control)); });
    }
  });

  const erase = (control) => {
    control.select();
    if (control.matches(".ws-hidden")) typed(control, "");
    else if (!document.execCommand("delete")) typed(control, ""); // the former can be undone by the browser
  };

  listen("input", (event) => {
    const root = !event.target.files && near(event.target, ".ws-form"); // a file counts when it was read
    const form = root && formOf(root);
    if (!form) return;
    sets(event.target);
    if (event.target.name) {
      edited.add(event.target);
      left.delete(event.target);
    }
    if (isTyped(event.target) && event.target.value !== "") offerBack(event.target);
    remembered(form);
    asked(root).led = null;
    chooses(event.target);
    recount(root, event.target);
    if (root.dataset.live && !carries(root, event.target)) schedule(root);
  });

  listen("click", (event) => {
    const button = near(event.target, BUTTONS);
    const root = button && rootOf(button);
    const form = root && formOf(root);
    if (!form) return;
    if (button.getAttribute("aria-disabled") === "true") event.preventDefault();
    else if (root.dataset.live && !event.defaultPrevented) {
      event.preventDefault();
      press(root, button);
    }
  });

  listen("click", (event) => {
    // By the mouse or a finger: the arrow keys look at one after the other.
    const item = event.detail > 0 && near(event.target, ".ws-item > input");
    if (item) closeMenu(item.closest(".ws-more"), true);
  });
  listen("input", ({ target }) => {
    const row = near(target, ".ws-row");
    if (!row || !isTyped(target)) return;
    const names = rootOf(row).querySelectorAll(`[data-named="${CSS.escape(target.id)}"]`);
    for (const name of names) name.textContent = target.value.slice(0, 80);
  });
  listen("keydown", (event) => {
    const isTyping = event.target.matches("input:not([type='radio'], [type='checkbox']), textarea, select, [contenteditable]");
    const search = document.querySelector(".ws-find > input");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping || !search) return;
    event.preventDefault();
    search.focus();
  });
  listen("keydown", (event) => {
    const active = event.target;
    if (!near(active, ".ws-form")) return;
    const menu = active.closest(".ws-more[open]");
    const picker = isTyped(active) && active.parentElement.querySelector(".ws-picker");
    const slides = active.dataset.picker === "slider" && !event.altKey && !active.list && SLIDES[event.key];
    const tick = active.matches(TICK) && STEPS[event.key];
    const own = active.matches(".ws-part") ? active.parentElement.firstElementChild : active;
    const tool = [".ws-tool", ".ws-filter"].find((one) => active.matches(one));
    const step = tool && STEPS[event.key];
    const row = event.altKey && event.shiftKey && active.closest(".ws-row:has(> .ws-tools > [value^='up#'])");
    const move = row && row.querySelector(`:scope > .ws-tools > [value^="${MOVES[event.key]}#"]`);
    if (event.key === "." && (event.ctrlKey || event.metaKey)) openMenu(active);
    else if (menu && (event.key === "Escape" || event.key === "Enter")) closeMenu(menu, true);
    else if (event.key === "Delete" && event.altKey && isTyped(own)) erase(own);
    else if (move) move.click();
    else if (event.key === "ArrowDown" && event.altKey && picker) picker.click();
    else if (step) besideTool(active, tool, step);
    else if (slides) slide(active, slides);
    else if (tick) besideTick(active, tick);
    else return;
    event.preventDefault();
  });

  listen("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const roots = [...document.querySelectorAll(".ws-form")];
    const root = roots.find((one) => one.contains(document.activeElement)) || (roots.length === 1 ? roots[0] : null);
    const form = root && formOf(root);
    if (!form) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button[data-save]"));
  });

  // When the same page comes back after a form was sent, one is where one was: scrolled as before,
  // and in the same control. A page that sends the focus elsewhere, to its findings, say, decides.

  const PLACE = "widgetschema:place";
  const RECENT = 60_000; // milliseconds
  const sameAs = ({ tag, id, name, value }) => (one) =>
    one.tagName === tag && one.id === id && (one.name || "") === name && (tag !== "BUTTON" || one.value === value);
  const leavePlace = (form) => {
    const active = focusedIn(form);
    const place = { path: location.pathname, time: Date.now(), top: window.scrollY, form: form.getBoundingClientRect().top };
    if (active) {
      const { tagName: tag, id, name = "", selectionStart: start, selectionEnd: end, scrollTop: within } = active;
      place.control = { tag, id, name, value: tag === "BUTTON" ? active.value : "", start, end, within };
    }
    keep("sessionStorage", PLACE, JSON.stringify(place));
  };
  const returnToPlace = () => {
    const place = JSON.parse(recall("sessionStorage", PLACE) || null);
    keep("sessionStorage", PLACE, "");
    if (!place || place.path !== location.pathname || Date.now() - place.time > RECENT) return;
    if (location.hash || document.querySelector("[autofocus]:not(.ws-saved)")) return;
    const { control } = place;
    const active = control && [...document.querySelectorAll(control.tag)].find(sameAs(control));
    if (active) {
      active.focus({ preventScroll: true });
      if (typeof control.start === "number" && active.setSelectionRange) active.setSelectionRange(control.start, control.end);
      active.scrollTop = control.within;
    }
    const moved = document.querySelector(".ws-page .ws-saved ~ form"); // by the notice
    const top = moved ? window.scrollY + moved.getBoundingClientRect().top - place.form : place.top;
    window.scrollTo({ top, behavior: "instant" });
  };

  // What a page says after saving is read and in view where one is, until one goes on; a reload is silent.
  const announce = (saved) => {
    const url = new URL(location.href);
    for (const name of ["saved", "merged"]) url.searchParams.delete(name);
    if (url.search !== location.search) history.replaceState(history.state, "", url);
    setTimeout(() => { saved.textContent = String(saved.textContent); }, 50); // a change is read
    saved.classList.add("ws-stays");
    const goOn = () => saved.classList.remove("ws-stays");
    for (const event of ["input", "focusin"]) listen(event, goOn, { once: true });
  };

  const eachForm = (visit) => {
    for (const root of document.querySelectorAll(".ws-form")) if (formOf(root)) visit(formOf(root), root);
  };
  // On the way down, before anybody sends the form: not yet, not half a date, and not twice.
  listen("submit", (event) => {
    const { target: form, submitter } = event;
    const roots = [...form.querySelectorAll(".ws-form")];
    if (!roots.length) return;
    const half = [...form.querySelectorAll(".ws-picked > input")].find((one) => !one.hidden && one.validity.badInput);
    const busy = roots.map(asked).find((one) => one.pressed);
    const state = remembered(form);
    if (half) {
      reveal(half);
      half.reportValidity();
    } else if (busy) busy.next.push(() => form.requestSubmit(submitter && submitter.isConnected ? submitter : null));
    else if (!state.leaving || event.timeStamp - state.left > TWICE) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  listen("submit", (event) => {
    const form = event.target;
    if (!form.querySelector(".ws-form")) return;
    const state = remembered(form);
    state.leaving = !event.defaultPrevented;
    state.left = event.timeStamp;
    if (!state.leaving) return;
    leavePlace(form);
    for (const one of [...form.querySelectorAll(".ws-form")].map(asked)) {
      stop(one); // it is saved
      one.next = [];
    }
  });
  // A time of day without a date is sent as it is, for the server to say so; a file only as a file.
  listen("formdata", ({ target, formData }) => {
    if (!known.has(target) || !remembered(target).leaving) return;
    for (const { control, time } of [...target.querySelectorAll(".ws-moment")].map(momentOf)) {
      if (!control.value && time.value) formData.set(control.name, time.value);
    }
    if (target.enctype !== "multipart/form-data") return;
    for (const input of target.querySelectorAll(FILES)) {
      if (input.files.length) formData.delete(input.previousElementSibling.name);
    }
  });
  listen("widgetschema:saved", (event) => {
    const form = event.target;
    for (const root of form.querySelectorAll(".ws-form")) root.removeAttribute("data-changed");
    known.delete(form);
    remembered(form);
  });
  listen("widgetschema:check", (event) => {
    for (const root of event.target.querySelectorAll(".ws-form")) {
      if (event.detail) press(root, event.detail);
      else if (asked(root).pressed) schedule(root);
      else ask(root, null);
    }
  });
  listen("widgetschema:shown", (event) => {
    for (const root of event.target.querySelectorAll(".ws-form")) {
      // Copies of pickers do nothing.
      for (const around of root.querySelectorAll(".ws-picked")) around.replaceWith(around.firstElementChild);
      enhance(root);
    }
  });
  window.addEventListener("pageshow", () => eachForm((form) => { remembered(form).leaving = false; }));
  window.addEventListener("beforeunload", (event) => {
    eachForm((form) => {
      if (!remembered(form).leaving && changed(form)) event.preventDefault();
    });
  });

  // Before this script came. Controls may change white space.
  const isTypedEarly = ({ value, defaultValue = value, checked, defaultChecked }) =>
    checked !== defaultChecked || (value !== defaultValue && value.replace(/\s/g, "") !== defaultValue.replace(/\s/g, ""));
  const start = () => {
    eachForm((form, root) => {
      if ([...root.querySelectorAll("[name]")].some(isTypedEarly)) root.dataset.changed = "";
      enhance(root);
      remembered(form); // which lays out the page
    });
    returnToPlace();
    const saved = [...document.querySelectorAll(".ws-page .ws-saved")];
    saved.forEach(announce);
    const past = () => saved.forEach((one) => one.classList.add("ws-past")); // what was saved is edited
    eachForm((form) => ["input", "widgetschema:answer"].forEach((event) => form.addEventListener(event, past, { once: true })));
  };
  if (document.readyState === "loading") listen("DOMContentLoaded", start);
  else start();
})();
