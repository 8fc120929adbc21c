// Mounts an export in react-jsonschema-form: `mount(export)` says what data the form has then.
import { createRef } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { WidgetForm } from "../../widgetschema/forms/exports/components/rjsf/widget-form.jsx";

let root = null;
let form = null;
let outcome = null;

// Waits until something holds, and a little longer; not for ever, since some schemas break the form.
const settled = async (holds) => {
  const start = performance.now();
  do {
    await new Promise((resolve) => setTimeout(resolve, 10));
  } while (!holds() && performance.now() - start < 20_000);
};

window.mount = async (exported, data) => {
  root?.unmount();
  document.body.innerHTML = "<main></main>";
  root = createRoot(document.querySelector("main"));
  form = createRef();
  outcome = null;
  const element = (
    <WidgetForm ref={form} form={{ ...exported, data: JSON.parse(data) }}
      onSubmit={({ formData }) => { outcome = { data: JSON.stringify(formData) }; }}
      onError={(errors) => { outcome = { errors: errors.map((error) => error.stack) }; }} />
  );
  flushSync(() => root.render(element));
  await settled(() => true);
  return window.held();
};

// The data that the form holds.
window.held = () => JSON.stringify(form.current.state.formData);

// What the form hands over when its button is pressed: data, or errors.
window.submitted = async () => {
  document.querySelector("form button[type=submit]").click();
  await settled(() => outcome !== null);
  return outcome;
};
