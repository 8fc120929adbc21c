/* The preview beside a form: loaded again after each edit, in the width of a device. One page at a
   time is asked for; the one before stays until the next is there.

   A preview with `data-post` is made of the controls of its form. Another script may send others the
   event `widgetschema:preview`, with the address of the next page as its detail. */
"use strict";
(() => {
  const states = new WeakMap();
  let frames = 0;
  const stateOf = (box) => {
    if (!states.has(box)) {
      const frame = box.querySelector(".ws-frame");
      const address = frame.getAttribute("src");
      states.set(box, { frame, wanted: address, shown: address, coming: null });
    }
    return states.get(box);
  };

  const fit = (box) => {
    const stage = box.querySelector(".ws-stage");
    const width = Number(box.querySelector(".ws-widths [aria-pressed='true']").dataset.width);
    const scale = Math.min(1, stage.clientWidth / width);
    for (const one of stage.querySelectorAll("iframe")) {
      one.style.width = `${width}px`;
      one.style.height = `${stage.clientHeight / scale}px`;
      one.style.transform = `scale(${scale})`;
      one.style.left = `${Math.max(0, (stage.clientWidth - width * scale) / 2)}px`;
    }
  };

  // A form of its own, since the one around it is not sent: nothing is saved by looking at it.
  const post = (box, frame, body) => {
    const form = document.createElement("form");
    form.hidden = true;
    for (const [name, value] of Object.entries({ method: "post", action: box.dataset.post, target: frame.name })) {
      form.setAttribute(name, value);
    }
    for (const [name, value] of new URLSearchParams(body)) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form);
    form.remove();
  };

  // A new frame each time: another page in the same one would be a step of the browser's history.
  const load = (box) => {
    const state = stateOf(box);
    if (!box.checkVisibility() || state.coming || state.wanted === state.shown) return;
    state.shown = state.wanted;
    const next = state.coming = state.frame.cloneNode();
    const swap = () => {
      next.classList.remove("ws-coming");
      state.frame.remove();
      state.frame = next;
      state.coming = null;
      load(box);
    };
    next.classList.add("ws-coming");
    if (box.dataset.post === undefined) {
      next.setAttribute("src", state.wanted);
      next.addEventListener("load", swap, { once: true });
    } else {
      frames += 1;
      next.name = `ws-preview-${frames}`;
      next.removeAttribute("src");
      next.addEventListener("load", () => { // the empty page is there
        next.addEventListener("load", swap, { once: true });
        setTimeout(() => next.isConnected && post(box, next, state.shown)); // else it would open a window
      }, { once: true });
    }
    box.querySelector(".ws-stage").append(next);
    fit(box);
  };

  const update = (form) => {
    for (const box of form.querySelectorAll(".ws-preview[data-post]")) {
      const texts = [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""]);
      stateOf(box).wanted = new URLSearchParams(texts).toString();
      load(box);
    }
  };
  document.addEventListener("widgetschema:answer", ({ target }) => update(target));
  document.addEventListener("change", ({ target }) => { // of a form without live checks
    if (target.form && !target.form.querySelector(".ws-form[data-live]")) update(target.form);
  });
  document.addEventListener("widgetschema:preview", ({ target, detail }) => {
    if (detail) stateOf(target).wanted = detail;
    fit(target);
    load(target);
  });
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest(".ws-widths button");
    if (!button) return;
    for (const one of button.parentElement.children) one.setAttribute("aria-pressed", String(one === button));
    fit(button.closest(".ws-preview"));
  });

  const sizes = new ResizeObserver((found) => {
    for (const { target } of found) fit(target.closest(".ws-preview"));
  });
  const start = () => {
    for (const box of document.querySelectorAll(".ws-preview")) {
      box.querySelector(".ws-widths").hidden = false;
      const button = box.querySelector(".ws-show");
      if (button) button.hidden = true;
      sizes.observe(box.querySelector(".ws-stage"));
      if (box.closest(".ws-form[data-changed]")) update(box.closest("form"));
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
