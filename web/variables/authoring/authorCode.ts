import type { Constraints, VariableType, VariableValue } from "#shared/variables/variableTypes.ts";

/** Tools whose authors add code to their courses. */
export const authorTools = ["storyline", "captivate", "ispring", "rise", "html"] as const;
export type AuthorTool = (typeof authorTools)[number];
/** Tools with variables of their own, which the code reads and sets. */
export const hasOwnVariables = (tool: AuthorTool) => tool === "storyline" || tool === "captivate";

type Subject = {
  /** The key by which the course knows the variable. */
  key: string;
  type: VariableType;
  constraints: Constraints;
  /** The name of the variable in the tool. */
  name: string;
};
export type AuthorCode = { set: string; get: string; change: string };

/**
 * The name that a key suggests in an authoring tool: `self_rating` is `SelfRating` in Storyline and `v_self_rating` in
 * Captivate.
 */
export const suggestName = (tool: AuthorTool, key: string) =>
  tool === "captivate" ? `v_${key}` : key.replace(/(^|_)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

/** A parent frame may be of another origin; accessing it then throws. */
const FIND = `function findLyceum(w) {
  try {
    if (w.Lyceum) return w.Lyceum;
  } catch (error) {
    return null;
  }
  return w.parent && w.parent !== w ? findLyceum(w.parent) : null;
}
var lyceum = findLyceum(window);`;

/** JavaScript within HTML: a text must not end the script. */
const literal = (value: VariableValue) => JSON.stringify(value).replaceAll("<", "\\u003c");

const samples: Record<VariableType, (constraints: Constraints) => VariableValue> = {
  number: ({ min = 0, max = 10 }) => Math.min(Math.max(7, min), max),
  duration: () => 90,
  text: () => "What the learner wrote",
  boolean: () => true,
  choice: ({ options = ["A"] }) => options[0] ?? "A",
  multi: ({ options = ["A", "B"] }) => options.slice(0, 2),
  date: () => "2026-11-22",
  json: () => ({ example: 1 }),
};

const indent = (code: string) => code.replace(/^(?=.)/gm, "  ");
/** Wraps code in a function scope, so that names of the page do not matter. */
const scoped = (code: string) => `(function () {\n${indent(code)}\n})();`;

/** How a tool reads and sets its own variables, and the types that these can have: texts, numbers and booleans. */
const ownVariable: Record<
  "storyline" | "captivate",
  (name: string) => { read: string; write: (value: string) => string }
> = {
  storyline: (name) => ({
    read: `GetPlayer().GetVar(${literal(name)})`,
    write: (value) => `GetPlayer().SetVar(${literal(name)}, ${value});`,
  }),
  captivate: (name) => ({
    read: `cpAPIInterface.getVariableValue(${literal(name)})`,
    write: (value) => `cpAPIInterface.setVariableValue(${literal(name)}, ${value});`,
  }),
};
const asPlain = (type: VariableType, value: string) => {
  if (type === "multi") return `${value}.join(", ")`;
  return type === "json" ? `JSON.stringify(${value})` : value;
};

/** Code to copy into a tool: to set a variable, to read it, and to follow its changes. */
export function createAuthorCode(tool: AuthorTool, subject: Subject): AuthorCode {
  if (tool === "storyline" || tool === "captivate") return codeForVariables(ownVariable[tool](subject.name), subject);
  return tool === "html" ? codeForPage(subject) : codeForFrame(subject);
}

function codeForVariables(
  { read, write }: ReturnType<(typeof ownVariable)["storyline"]>,
  { key, type }: Subject,
): AuthorCode {
  const name = literal(key);
  const flag = literal(`follows_${key}`);
  return {
    set: scoped(`${FIND}\nif (lyceum) lyceum.set(${name}, ${read});`),
    get: scoped(
      `${FIND}\nvar value = lyceum ? lyceum.get(${name}) : null;\nif (value !== null)
  ${write(asPlain(type, "value"))}`,
    ),
    change: scoped(`${FIND}
if (lyceum && !window[${flag}]) {
  window[${flag}] = true;
  lyceum.on("change", function (change) {
    if (change.key === ${name} && change.value !== null)
      ${write(asPlain(type, "change.value"))}
  });
}`),
  };
}

function codeForPage({ key, type, constraints }: Subject): AuthorCode {
  const name = literal(key);
  const page = (code: string) => `<script src="/lyceum.js"></script>\n<script>\n${indent(code)}\n</script>`;
  return {
    set: page(`if (window.Lyceum) Lyceum.set(${name}, ${literal(samples[type](constraints))});`),
    get: page(`var value = window.Lyceum ? Lyceum.get(${name}) : null;`),
    change: page(`if (window.Lyceum)
  Lyceum.on("change", function (change) {
    if (change.key === ${name}) console.log(change.previous, change.value);
  });`),
  };
}

/** Code for a page embedded in a slide or block of a tool, which finds Lyceum in the surrounding frames. */
function codeForFrame({ key, type, constraints }: Subject): AuthorCode {
  const name = literal(key);
  const page = (html: string, code: string) => `${html}\n<script>\n${indent(scoped(`${FIND}\n${code}`))}\n</script>`;
  const output = `<p>${key}: <output id="${key}"></output></p>`;
  const show = `var output = document.getElementById(${literal(key)});
function show(value) {
  output.textContent = value === null ? "–" : ${asPlain(type, "value")};
}`;
  return {
    set: page(
      `<button id="set_${key}">Save</button>`,
      `document.getElementById(${literal(`set_${key}`)}).onclick = function () {
  if (lyceum) lyceum.set(${name}, ${literal(samples[type](constraints))});
};`,
    ),
    get: page(output, `${show}\nif (lyceum) show(lyceum.get(${name}));`),
    change: page(
      output,
      `${show}
if (lyceum)
  lyceum.on("change", function (change) {
    if (change.key === ${name}) show(change.value);
  });`,
    ),
  };
}

/** Reports that an HTML course is completed. */
export const completeCode = `<script src="/lyceum.js"></script>
<script>
  if (window.Lyceum) Lyceum.complete({ score: 85 });
</script>`;
