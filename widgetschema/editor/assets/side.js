// The tabs beside the form: the JSON, or the preview, which forms have as well. It follows the edits.
"use strict";
(() => {
  const { recall, keep } = window.widgetschema;
  const CHOICE = "widgetschema:side";
  const tabs = [...document.querySelectorAll(".ed-tabs button")];
  const box = document.querySelector("#ed-preview .ws-preview");
  const show = (address) => box.dispatchEvent(new CustomEvent("widgetschema:preview", { detail: address, bubbles: true }));

  const choose = (id) => {
    for (const tab of tabs) {
      const controlled = tab.getAttribute("aria-controls");
      tab.setAttribute("aria-pressed", String(controlled === id));
      document.getElementById(controlled).hidden = controlled !== id;
    }
    keep("sessionStorage", CHOICE, id);
    show(null);
  };

  for (const tab of tabs) tab.addEventListener("click", () => choose(tab.getAttribute("aria-controls")));
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a[href='#ed-pane']")) choose("ed-json");
  }, true);
  document.addEventListener("widgetschema:answer", (event) => {
    const said = event.detail.editor;
    if (!said) return;
    if (said.refused && !said.fromPane) choose("ed-json");
    show(`/preview?step=${said.step}&of=${said.paneOf}`);
  });

  document.querySelector(".ed-tabs").hidden = false;
  choose(recall("sessionStorage", CHOICE) || "ed-json");
})();
