// Checks each line of a file with ajv, and prints how many there were, how many were invalid, and
// the milliseconds that reading, parsing and checking took, on the wall and of processors; compiling
// is not in them.
// Usage: node ajv.cjs MODULES SCHEMA FILE whole|chunks [all]
const fs = require("node:fs");
const [modules, schema, file, way, all] = process.argv.slice(2);
const Ajv = require(`${modules}/ajv`).default;

// Without `all` it stops at the first mistake, as is quickest.
const ajv = new Ajv({ strict: false, allErrors: all !== undefined });
require(`${modules}/ajv-formats`).default(ajv);
const validate = ajv.compile(JSON.parse(fs.readFileSync(schema, "utf8")));

let records = 0;
let invalid = 0;

function check(line) {
  records++;
  if (!validate(JSON.parse(line))) invalid++;
}

// The whole file as one string: V8 has none of more than half a gigabyte.
function whole() {
  for (const line of fs.readFileSync(file, "utf8").split("\n")) if (line !== "") check(line);
}

// In constant memory, as long as no line is longer than the buffer.
function chunks() {
  const descriptor = fs.openSync(file);
  const buffer = Buffer.allocUnsafe(1 << 20);
  let kept = 0;
  for (;;) {
    const read = fs.readSync(descriptor, buffer, kept, buffer.length - kept, null);
    const end = kept + read;
    let start = 0;
    for (let at; (at = buffer.indexOf(10, start)) !== -1 && at < end; start = at + 1)
      if (at > start) check(buffer.toString("utf8", start, at));
    if (read === 0) {
      if (end > start) check(buffer.toString("utf8", start, end));
      return fs.closeSync(descriptor);
    }
    buffer.copy(buffer, 0, start, end);
    kept = end - start;
  }
}

const start = performance.now();
const before = process.cpuUsage();
({ whole, chunks })[way]();
const { user, system } = process.cpuUsage(before);
const processor = (user + system) / 1e3;
console.log(JSON.stringify({ records, invalid, milliseconds: performance.now() - start, processor }));
