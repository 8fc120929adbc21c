/* Forms of widgetschema on pages of Django: the form of a type appears when its type is chosen, and
   references follow when the admin adds or removes an inline, whose ids and names it changes. */
"use strict";
(() => {
  const REFERENCES = ["aria-describedby", "aria-labelledby", "href", "data-live", "data-do", "data-type"];
  const asking = new WeakMap();

  const follow = () => {
    for (const part of document.querySelectorAll(".ws-django")) {
      const { prefix } = part.dataset;
      const now = part.querySelector("input[name$='.row']").name.slice(0, -".row".length);
      if (now === prefix) continue;
      // The other fields of the row have the same prefix, up to the name of this field.
      const rowPrefix = (text) => text.slice(0, text.lastIndexOf("-") + 1);
      const [before, after] = [rowPrefix(prefix), rowPrefix(now)];
      for (const element of [part, ...part.querySelectorAll("*")]) {
        for (const name of REFERENCES) {
          const value = element.getAttribute(name);
          if (value !== null && value.includes(before)) element.setAttribute(name, value.replaceAll(before, after));
        }
      }
      part.dataset.prefix = now;
    }
  };

  document.addEventListener("formset:added", (event) => {
    follow();
    event.target.dispatchEvent(new CustomEvent("widgetschema:shown", { bubbles: true }));
  });
  document.addEventListener("formset:removed", () => queueMicrotask(follow)); // after the admin

  const choose = async (part, form) => {
    if (asking.has(part)) asking.get(part).abort();
    const request = new AbortController();
    const { live } = part.dataset;
    asking.set(part, request);
    let answer;
    try {
      const response = await fetch(live, {
        method: "POST",
        body: new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string")),
        headers: { Accept: "application/json" },
        credentials: "same-origin",
        signal: request.signal,
      });
      answer = await response.json();
    } catch {
      return; // the form appears when the page is saved
    }
    if (!part.isConnected) return; // its row was removed, and another one may have its number
    if (part.dataset.live !== live) return choose(part, form); // its row has another number since
    if (!answer.markup) return;
    const template = document.createElement("template");
    template.innerHTML = answer.markup;
    part.replaceChildren(...template.content.firstElementChild.childNodes);
    const errors = document.getElementById(`id_${part.dataset.prefix}_error`);
    if (errors) errors.remove(); // of the form before
    if (answer.notice) {
      const notice = document.createElement("p");
      notice.className = "ws-django-notice";
      notice.setAttribute("role", "status");
      part.prepend(notice);
      setTimeout(() => { notice.textContent = answer.notice; }, 50);
    }
    part.dispatchEvent(new CustomEvent("widgetschema:shown", { bubbles: true }));
  };

  document.addEventListener("change", (event) => {
    const { name, form } = event.target;
    if (!name || !form) return;
    for (const part of form.querySelectorAll(".ws-django[data-live]")) {
      if (part.dataset.type === name) choose(part, form);
    }
  });
})();
