(() => {
  "use strict";
  const page = document.querySelector(".au");
  const button = (text) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    return made;
  };

  // Each table as CSV
  const cell = (value) => {
    const text = String(value ?? "");
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  for (const table of page.querySelectorAll("[data-table]")) {
    const rows = [...table.querySelectorAll("[data-row]")];
    if (!rows.length) continue;
    const download = button("Download as CSV");
    download.className = "au-download";
    download.addEventListener("click", () => {
      const lines = [JSON.parse(table.dataset.columns), ...rows.map((row) => JSON.parse(row.dataset.row))];
      const text = "\ufeff" + lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      link.download = table.dataset.table + ".csv";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
    table.append(download);
  }

  // A filter of the mistakes
  const tools = page.querySelector(".au-tools");
  if (tools) {
    const label = document.createElement("label");
    const field = document.createElement("input");
    const said = document.createElement("span");
    field.type = "search";
    label.append("Filter ", field);
    said.setAttribute("role", "status");
    said.className = "au-muted";
    tools.append(label, said);
    const members = [...page.querySelectorAll(".au-member")];
    const types = [...page.querySelectorAll(".au-type")];
    const before = types.map((one) => one.open);
    const texts = members.map((one) => (one.dataset.type + " " + one.textContent).toLowerCase());
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      members.forEach((one, index) => {
        one.hidden = !words.every((word) => texts[index].includes(word));
        shown += !one.hidden;
      });
      types.forEach((one, index) => {
        const found = one.querySelector(".au-member:not([hidden])") !== null;
        one.hidden = !found;
        one.open = words.length ? found : before[index];
      });
      said.textContent = words.length ? `${shown} of ${members.length} properties` : "";
    });
  }

  // On paper, all is open
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...page.querySelectorAll("main > section details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
  });
})();
