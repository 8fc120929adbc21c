// The preview beside the form: loaded again after each edit, in the width of a device. One page at
// a time is asked for; the one before stays until the next is there.
"use strict";
(() => {
  const CHOICE = "widgetschema:side";
  const stage = document.querySelector(".ed-stage");
  const preview = document.getElementById("ed-preview");
  const tabs = [...document.querySelectorAll(".ed-tabs button")];
  const widths = [...document.querySelectorAll(".ed-widths button")];
  let frame = stage.querySelector("iframe");
  let wanted = frame.getAttribute("src");
  let shown = wanted;
  let coming = null;

  const fit = () => {
    const width = Number(widths.find((one) => one.getAttribute("aria-pressed") === "true").dataset.width);
    const scale = Math.min(1, stage.clientWidth / width);
    for (const one of stage.querySelectorAll("iframe")) {
      one.style.width = `${width}px`;
      one.style.height = `${stage.clientHeight / scale}px`;
      one.style.transform = `scale(${scale})`;
      one.style.left = `${Math.max(0, (stage.clientWidth - width * scale) / 2)}px`;
    }
  };

  // A new frame each time: another address in the same one would be a step of the browser's history.
  const load = () => {
    if (preview.hidden || coming || wanted === shown) return;
    shown = wanted;
    coming = frame.cloneNode();
    coming.classList.add("ed-coming");
    coming.setAttribute("src", wanted);
    coming.addEventListener("load", () => {
      coming.classList.remove("ed-coming");
      frame.remove();
      frame = coming;
      coming = null;
      load();
    }, { once: true });
    stage.append(coming);
    fit();
  };

  const choose = (id) => {
    for (const tab of tabs) {
      const controlled = tab.getAttribute("aria-controls");
      tab.setAttribute("aria-pressed", String(controlled === id));
      document.getElementById(controlled).hidden = controlled !== id;
    }
    try {
      sessionStorage.setItem(CHOICE, id);
    } catch {
      // it is JSON again on the next page
    }
    fit();
    load();
  };

  for (const tab of tabs) tab.addEventListener("click", () => choose(tab.getAttribute("aria-controls")));
  for (const button of widths) {
    button.addEventListener("click", () => {
      for (const one of widths) one.setAttribute("aria-pressed", String(one === button));
      fit();
    });
  }
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a[href='#ed-pane']")) choose("ed-json");
  }, true);
  document.addEventListener("widgetschema:answer", (event) => {
    const said = event.detail.editor;
    if (!said) return;
    if (said.refused && !said.fromPane) choose("ed-json");
    wanted = `/preview?step=${said.step}&of=${said.paneOf}`;
    load();
  });
  new ResizeObserver(fit).observe(stage);

  document.querySelector(".ed-tabs").hidden = document.querySelector(".ed-widths").hidden = false;
  let chosen = null;
  try {
    chosen = sessionStorage.getItem(CHOICE);
  } catch {
    // without a storage it is JSON
  }
  choose(chosen === "ed-preview" ? chosen : "ed-json");
})();
