// Mounts an export in JSON Forms: `mount(export)` says what data the form has then.
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { WidgetForm } from "../../widgetschema/forms/exports/components/jsonforms/widget-form.jsx";

let root = null;
let latest = null;

// Waits until something was handed over, which is said with a delay; not for ever, should it break.
const settled = async () => {
  const start = performance.now();
  do {
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (latest === null && performance.now() - start < 20_000);
};

window.mount = async (exported, data) => {
  root?.unmount();
  document.body.innerHTML = "<main></main>";
  root = createRoot(document.querySelector("main"));
  latest = null;
  const element = (
    <WidgetForm form={{ ...exported, data: JSON.parse(data) }}
      onChange={({ data, errors }) => { latest = { data, errors }; }} />
  );
  flushSync(() => root.render(element));
  await settled();
  return window.held();
};

// The data that the form holds.
window.held = () => JSON.stringify(latest?.data);

// JSON Forms has no button: what was handed over last is what an application sends.
window.submitted = async () => {
  await settled();
  return latest?.errors?.length
    ? { data: window.held(), errors: latest.errors.map(({ instancePath, message }) => `${instancePath} ${message}`) }
    : { data: window.held() };
};
