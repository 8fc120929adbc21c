// A field for react-jsonschema-form 6 that edits any value as JSON text. While the text is not JSON,
// the value stays as it was, and the field says what is wrong.
import { useState } from "react";

export function JsonField({ fieldPathId, formData, onChange, name, schema, uiSchema, disabled, readonly }) {
  const [typed, setTyped] = useState(null); // null: the text is that of the value
  const [problem, setProblem] = useState("");
  const id = fieldPathId.$id;
  const value = formData === undefined ? "" : JSON.stringify(formData, null, 2) ?? "";
  const change = ({ target }) => {
    setTyped(target.value);
    let read;
    try {
      read = target.value.trim() === "" ? undefined : JSON.parse(target.value);
    } catch (error) {
      setProblem(error.message);
      return;
    }
    setProblem("");
    onChange(read, fieldPathId.path);
  };
  const help = uiSchema?.["ui:description"] ?? schema?.description;
  const described = [help && `${id}__help`, problem && `${id}__problem`].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id}>{uiSchema?.["ui:title"] ?? schema?.title ?? name}</label>
      {help && <p id={`${id}__help`}>{help}</p>}
      <textarea id={id} className="form-control" rows={4} value={typed ?? value} onChange={change}
        onBlur={() => problem || setTyped(null)} disabled={disabled || readonly} spellCheck={false}
        aria-invalid={problem !== ""} aria-describedby={described || undefined} />
      {problem && <p id={`${id}__problem`} role="alert">{problem}</p>}
    </div>
  );
}
