// Which texts match a pattern: of each line on standard input, a JSON array of a pattern and texts,
// it prints a line with a list of verdicts, or null if the pattern is refused. Patterns have the
// flag u, or none if only that is accepted. There is no verdict (null) about a text that takes too
// long and those behind it, nor, without the flag u, about one with a character beyond U+FFFF, which
// is two there.
const fs = require("node:fs");
const vm = require("node:vm");

const matching = new vm.Script("matcher.test(text)");

function expression(pattern) {
  for (const flags of ["u", ""])
    try {
      return new RegExp(pattern, flags);
    } catch {
      // the other flags, or none
    }
  return null;
}

function verdicts(matcher, texts) {
  const context = vm.createContext({ matcher });
  let timedOut = false;
  return texts.map((text) => {
    if (timedOut || (!matcher.unicode && /[\ud800-\udfff]/.test(text))) return null;
    context.text = text;
    try {
      return matching.runInContext(context, { timeout: 200 });
    } catch {
      timedOut = true;
      return null;
    }
  });
}

for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const [pattern, texts] = JSON.parse(line);
  const matcher = expression(pattern);
  console.log(JSON.stringify(matcher && verdicts(matcher, texts)));
}
