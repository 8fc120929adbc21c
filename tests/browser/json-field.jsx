import { useState } from "react";

// A field for values that no other field is made for: the JSON text of the value.
export function JsonField({ fieldPathId, formData, onChange, name, uiSchema, disabled, readonly }) {
  const [typed, setTyped] = useState(null);
  const [broken, setBroken] = useState("");
  const value = formData === undefined ? "" : JSON.stringify(formData, null, 2) ?? "";
  const change = ({ target }) => {
    setTyped(target.value);
    try {
      const read = target.value.trim() === "" ? undefined : JSON.parse(target.value);
      setBroken("");
      onChange(read, fieldPathId.path);
    } catch (error) {
      setBroken(error.message);
    }
  };
  return (
    <label>
      {uiSchema["ui:title"] ?? name}
      <textarea id={fieldPathId.$id} className="form-control" rows={4} value={typed ?? value}
        onChange={change} onBlur={() => broken || setTyped(null)} disabled={disabled || readonly}
        aria-invalid={broken !== ""} />
      {broken && <span role="alert">{broken}</span>}
    </label>
  );
}
