// An exported form in react-jsonschema-form 6:
//
//   import form from "./form.json";
//   <WidgetForm form={form} onSubmit={({ formData }) => save(formData)} />
//
// Needs the packages react, @rjsf/core, @rjsf/utils and @rjsf/validator-ajv8. To use a theme, pass its
// form as `Form`.
import DefaultForm from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { JsonField } from "./json-field.jsx";

export const fields = { widgetschemaJson: JsonField };

export function WidgetForm({ form, Form = DefaultForm, fields: more, ...props }) {
  return (
    <Form schema={form.schema} uiSchema={form.uiSchema} formData={form.data} {...form.props}
      validator={validator} fields={{ ...fields, ...more }} {...props} />
  );
}
