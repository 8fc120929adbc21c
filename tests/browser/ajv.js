// Compiles schemas as Ajv does in its strict mode: what it says of each, and of the data. That a
// schema need not say the type, or the length of a tuple, is draft-07, not a mistake.
import Ajv from "ajv";
import addFormats from "ajv-formats";

window.compiled = (schema, data) => {
  const said = [];
  const logger = { log: (text) => said.push(text), warn: (text) => said.push(text), error: (text) => said.push(text) };
  const ajv = new Ajv({ strictTypes: false, strictTuples: false, allErrors: true, logger });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return { said, valid: data.map((text) => validate(JSON.parse(text))) };
};
