// Mounts an export in react-jsonschema-form: `mount(export)` says what data the form has then.
import Form from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { createRef } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { JsonField } from "./json-field.jsx";

let root = null;
let form = null;
let outcome = null;

// Waits until something holds, and a little longer; not for ever, since some schemas break the form.
const settled = async (holds) => {
  const start = performance.now();
  do {
    await new Promise((resolve) => setTimeout(resolve, 10));
  } while (!holds() && performance.now() - start < 2000);
};

window.mount = async ({ schema, uiSchema, props }, data) => {
  root?.unmount();
  document.body.innerHTML = "<main></main>";
  root = createRoot(document.querySelector("main"));
  form = createRef();
  outcome = null;
  const element = (
    <Form ref={form} schema={schema} uiSchema={uiSchema} formData={JSON.parse(data)} {...props}
      validator={validator} fields={{ widgetschemaJson: JsonField }}
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
