// An exported form in JSON Forms 3:
//
//   import form from "./form.json";
//   <WidgetForm form={form} onChange={({ data, errors }) => keep(data, errors)} />
//
// Needs the packages react, @jsonforms/core, @jsonforms/react and @jsonforms/vanilla-renderers. To use
// other renderers, pass `renderers` and `cells`.
import { JsonForms } from "@jsonforms/react";
import { vanillaCells, vanillaRenderers } from "@jsonforms/vanilla-renderers";

export function WidgetForm({ form, ...props }) {
  return (
    <JsonForms schema={form.schema} uischema={form.uischema} data={form.data} {...form.props}
      renderers={vanillaRenderers} cells={vanillaCells} {...props} />
  );
}
