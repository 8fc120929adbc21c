// A layer over the JSON pane: line numbers, marks of findings, colours, and the way between a
// value and its field. The text area stays what is edited; only the lines in sight are drawn, as
// elements with text. The editor says where fields and findings are (`places`).
"use strict";
(() => {
  const form = document.getElementById("ed");
  const pane = document.getElementById("ed-pane");
  const code = document.getElementById("ed-code");
  const tip = document.getElementById("ed-tip");
  const { phrase } = window.widgetschema;
  const part = (name) => document.querySelector(name);
  const [gutter, numbers, marks, lines] = [".ed-gutter", ".ed-numbers", ".ed-marks", ".ed-lines"].map(part);
  const [where, position, go, here] = [".ed-where", ".ed-position", ".ed-go", ".ed-here"].map(part);
  const LONGEST = 4000; // characters of a line: a document with longer ones is shown without colours
  const MOST_MARKS = 300;
  const BESIDE = matchMedia("(min-width: 60rem)"); // form and pane are beside each other
  const HOLDERS = ".ws-field, .ws-group, .ws-section, .ws-closed, .ws-main";
  const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|("(?:[^"\\]|\\.)*\\?$)/g;
  const KINDS = [null, "string", null, "number", "word", "broken"];

  let text = null; // the text that `starts` is about
  let starts = [0]; // where each line begins
  let coloured = true;
  let places = { fields: [], findings: [] };
  let placed = ""; // the text that they are about
  let byId = new Map();
  let current = null; // the lines of the value that is shown: [first, last]
  let shown = null; // the id of the field of the caret
  let drawn = new Map(); // line → its two elements
  let height = 0; // of a line
  let frame = 0;

  // Lines

  const content = () => (pane.coming ? pane.coming.text : pane.value);
  const read = () => {
    const now = content();
    if (now === text) return;
    text = now;
    starts = [0];
    let longest = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      longest = Math.max(longest, at - starts[starts.length - 1]);
      starts.push(at + 1);
    }
    coloured = Math.max(longest, text.length - starts[starts.length - 1]) <= LONGEST;
  };

  const lineAt = (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const lineText = (line) =>
    text.slice(starts[line], line + 1 < starts.length ? starts[line + 1] - 1 : text.length);

  const measure = () => {
    const style = getComputedStyle(pane);
    const top = parseFloat(style.paddingTop);
    const inside = pane.scrollHeight - top - parseFloat(style.paddingBottom);
    // Zoomed, a line may be a fraction higher or lower than its style says, which adds up.
    const scrolls = pane.scrollHeight > pane.clientHeight;
    height = scrolls ? inside / starts.length : parseFloat(style.lineHeight);
    return top;
  };

  // Drawing

  const colour = (element, line) => {
    let at = 0;
    for (const match of line.matchAll(TOKEN)) {
      const group = match.findIndex((one, index) => index > 0 && one !== undefined);
      const token = document.createElement("span");
      token.className = `ed-${match[2] === undefined ? KINDS[group] : "key"}`;
      token.textContent = match[group];
      element.append(line.slice(at, match.index), token);
      at = match.index + match[group].length;
    }
    element.append(line.slice(at));
  };

  const row = (line, content) => {
    const one = document.createElement("div");
    if (coloured) colour(one, content);
    const number = document.createElement("div");
    number.textContent = String(line + 1);
    return { line: one, number, content, coloured };
  };

  const draw = () => {
    frame = 0;
    read();
    code.classList.toggle("ed-coloured", coloured);
    gutter.style.setProperty("--ed-digits", String(Math.max(2, String(starts.length).length)));
    const top = measure();
    const first = Math.max(0, Math.min(starts.length - 1, Math.floor((pane.scrollTop - top) / height)));
    const last = Math.min(starts.length - 1, Math.ceil((pane.scrollTop + pane.clientHeight - top) / height));
    const kept = new Map();
    for (let line = first; line <= last; line += 1) {
      const content = lineText(line);
      const before = drawn.get(line);
      const same = before && before.content === content && before.coloured === coloured;
      kept.set(line, same ? before : row(line, content));
    }
    for (const [line, one] of drawn) {
      if (kept.get(line) === one) continue;
      one.line.remove();
      one.number.remove();
    }
    let [nextLine, nextNumber] = [lines.firstChild, numbers.firstChild];
    for (const [line, one] of kept) {
      if (one.line === nextLine) {
        nextLine = nextLine.nextSibling;
        nextNumber = nextNumber.nextSibling;
      } else {
        lines.insertBefore(one.line, nextLine);
        numbers.insertBefore(one.number, nextNumber);
      }
      const marked = current && line >= current[0] && line <= current[1];
      one.line.classList.toggle("ed-current", Boolean(marked));
      one.number.classList.toggle("ed-current", Boolean(marked));
    }
    drawn = kept;
    const down = top - pane.scrollTop;
    // No transforms: below one, text is painted between the pixels of that in the text area.
    lines.style.left = `${-pane.scrollLeft}px`;
    lines.style.top = numbers.style.top = `${down + first * height}px`;
    marks.style.top = `${down}px`;
    lines.style.minWidth = `${pane.scrollWidth}px`;
  };
  const drawSoon = () => {
    if (!frame) frame = requestAnimationFrame(draw);
  };

  // Has a line of the pane in sight, with a few around it.
  const showLine = (line) => {
    measure();
    const top = line * height;
    const seen = top >= pane.scrollTop && top + 2 * height < pane.scrollTop + pane.clientHeight;
    if (!seen) pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
  };

  // Findings

  const findingsOn = (line) =>
    placed === text ? places.findings.filter(([, start]) => lineAt(start) === line).map(([said]) => said) : [];

  const showTip = (mark) => {
    tip.textContent = mark.dataset.said;
    tip.hidden = false;
    const [box, around] = [mark.getBoundingClientRect(), code.getBoundingClientRect()];
    const below = box.bottom - around.top + 2;
    const above = box.top - around.top - tip.offsetHeight - 2;
    tip.style.top = `${below + tip.offsetHeight > code.clientHeight && above > 0 ? above : below}px`;
  };
  const hideTip = () => { tip.hidden = true; };

  const goTo = (offset, end = offset) => {
    pane.focus();
    pane.setSelectionRange(offset, end);
    showLine(lineAt(offset));
  };
  form.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-line]");
    if (!link) return;
    event.preventDefault();
    read();
    const line = Math.min(Number(link.dataset.line), starts.length) - 1;
    // A column counts characters, of which some are two in a script.
    const before = [...lineText(line)].slice(0, Number(link.dataset.column) - 1).join("");
    const offset = starts[line] + before.length;
    goTo(offset, offset + 1);
  });

  const mark = ([line, found]) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const said = found.map(([one]) => one).join("\n");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.said = said;
    button.dataset.offset = String(found[0][1]);
    button.setAttribute("aria-label", phrase(form, "line", { line: line + 1, said }));
    button.dataset.sign = found.length > 1 ? String(Math.min(found.length, 9)) : "!";
    item.append(button);
    item.dataset.line = String(line);
    return item;
  };

  const showMarks = () => {
    const byLine = new Map();
    if (placed === text) {
      for (const one of places.findings) {
        const line = lineAt(one[1]);
        byLine.set(line, [...(byLine.get(line) || []), one]);
      }
    }
    const focused = marks.contains(document.activeElement) ? document.activeElement.dataset.offset : null;
    const items = [...byLine].sort(([one], [other]) => one - other).slice(0, MOST_MARKS).map(mark);
    marks.replaceChildren(...items);
    measure();
    for (const item of items) item.style.top = `${Number(item.dataset.line) * height}px`;
    const buttons = [...marks.querySelectorAll("button")];
    if (buttons.length) buttons[0].tabIndex = 0; // one stop of the Tab key; arrows lead to the others
    const again = buttons.find((one) => one.dataset.offset === focused);
    if (again) again.focus({ preventScroll: true });
    else hideTip();
  };

  marks.addEventListener("mouseover", (event) => {
    if (event.target.matches("button")) showTip(event.target);
  });
  code.addEventListener("mouseleave", hideTip);
  pane.addEventListener("mouseenter", hideTip);
  marks.addEventListener("focusin", (event) => {
    for (const one of marks.querySelectorAll("button")) one.tabIndex = one === event.target ? 0 : -1;
    showLine(Number(event.target.parentElement.dataset.line));
    draw();
    event.target.scrollIntoView({ block: "nearest", behavior: "instant" });
    showTip(event.target);
  });
  marks.addEventListener("focusout", hideTip);
  marks.addEventListener("click", (event) => {
    if (event.target.matches("button")) goTo(Number(event.target.dataset.offset));
  });
  marks.addEventListener("keydown", (event) => {
    const buttons = [...marks.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (buttons[next]) buttons[next].focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });

  // From a field to its value, and back

  const placeOf = (element) => {
    for (let one = element; one && one !== form; one = one.parentElement) {
      const { id } = one.matches(".ws-field") ? one.querySelector("[id]") || one : one; // a choice or a menu in it
      const found = id && (byId.get(id) || byId.get(id.split(":")[0]));
      if (found) return found;
    }
    return null;
  };

  const showPlace = (place) => {
    current = place && placed === text ? [lineAt(place[2]), lineAt(Math.max(place[2], place[3] - 1))] : null;
    drawSoon();
  };

  const mayFocus = "input:not([type='hidden']), select, textarea, button, summary, [tabindex]";
  const holderOf = (id) => {
    const element = document.getElementById(id);
    return element && (element.closest(HOLDERS) || element);
  };
  const innermost = (offset) => {
    let found = null;
    for (const place of places.fields) {
      const inside = place[2] <= offset && offset <= place[3];
      if (inside && (!found || place[3] - place[2] <= found[3] - found[2]) && holderOf(place[0])) found = place;
    }
    return found;
  };

  const marked = document.getElementsByClassName("ed-shown");
  const markField = () => {
    for (const one of [...marked]) one.classList.remove("ed-shown");
    const holder = shown && holderOf(shown);
    if (holder) holder.classList.add("ed-shown");
    return holder;
  };

  const caret = () => {
    read();
    const offset = pane.selectionDirection === "backward" ? pane.selectionStart : pane.selectionEnd;
    const line = lineAt(offset);
    const column = [...text.slice(starts[line], offset)].length + 1;
    position.textContent = phrase(form, "place", { line: line + 1, column });
    const said = findingsOn(line).join("\n");
    if (here.textContent !== said) here.textContent = said;
    if (placed !== text) return; // until the editor has said where everything is now
    const place = innermost(offset);
    showPlace(place);
    const id = place ? place[0] : null;
    go.hidden = !place;
    if (place) go.textContent = phrase(form, "go", { label: place[1] || phrase(form, "data") });
    const other = id !== shown;
    shown = id;
    const holder = markField();
    if (other && holder && BESIDE.matches) holder.scrollIntoView({ block: "nearest", behavior: "instant" });
  };

  go.addEventListener("click", () => {
    const element = shown && document.getElementById(shown);
    const holder = shown && holderOf(shown);
    if (!holder) return;
    holder.dispatchEvent(new CustomEvent("widgetschema:reveal", { bubbles: true }));
    const target = element.matches(mayFocus) ? element : holder.querySelector(mayFocus) || holder;
    target.focus();
    holder.scrollIntoView({ block: "nearest", behavior: "instant" });
  });

  pane.addEventListener("keydown", (event) => {
    if (event.key !== "F8" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const offsets = [...marks.querySelectorAll("button")].map((one) => Number(one.dataset.offset));
    const from = pane.selectionEnd;
    const next = event.shiftKey
      ? [...offsets].reverse().find((one) => one < from) ?? offsets[offsets.length - 1]
      : offsets.find((one) => one > from) ?? offsets[0];
    if (next !== undefined) goTo(next);
  });

  document.addEventListener("selectionchange", () => {
    if (document.activeElement === pane) caret();
  });
  form.addEventListener("focusin", (event) => {
    if (event.target === pane) return caret();
    if (!event.target.closest(".ws-form")) return;
    shown = null;
    markField();
    read();
    const place = placeOf(event.target);
    if (place && placed === text) showLine(lineAt(place[2]));
    showPlace(place);
  });

  // What the editor says

  const take = (given) => {
    places = given;
    read();
    placed = text;
    byId = new Map(places.fields.map((place) => [place[0], place]));
    showMarks();
    const active = document.activeElement;
    if (active === pane) caret();
    else showPlace(active && active.closest(".ws-form") ? placeOf(active) : null);
    markField(); // the form may have been drawn again
    draw();
  };

  document.addEventListener("widgetschema:answer", (event) => {
    const said = event.detail.editor;
    if (said && content() === said.pane.replace(/\r\n?/g, "\n")) take(said.places);
    else drawSoon();
  });
  pane.addEventListener("editor:changed", ({ detail: line }) => {
    read();
    showLine(line);
  });
  pane.addEventListener("input", () => {
    read();
    showMarks();
    drawSoon();
  });
  pane.addEventListener("scroll", () => {
    draw();
    if (marks.contains(document.activeElement)) showTip(document.activeElement);
    else hideTip();
  });
  new ResizeObserver(drawSoon).observe(pane);

  gutter.hidden = where.hidden = false;
  take(JSON.parse(pane.dataset.places));
})();
