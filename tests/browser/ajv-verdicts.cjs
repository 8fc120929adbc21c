// What ajv says of schemas and instances: of each line on standard input, a JSON object with a
// `schema` and `instances`, it prints a line with the verdicts, or with the error as a string.
// Usage: node ajv-verdicts.cjs MODULES
const fs = require("node:fs");
const Ajv = require(`${process.argv[2]}/ajv`).default;

function verdicts({ schema, instances }) {
  try {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    return instances.map((instance) => validate(instance));
  } catch (error) {
    return String(error);
  }
}

for (const line of fs.readFileSync(0, "utf8").split("\n"))
  if (line !== "") console.log(JSON.stringify(verdicts(JSON.parse(line))));
