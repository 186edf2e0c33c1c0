// Which value of the SCORM data model sets a variable. Interactions and objectives are named by their identifier, because their
// index differs from attempt to attempt: cmi.interactions[q3].learner_response

export type Path =
  { kind: "element"; element: string } | { kind: "interactions" | "objectives"; id: string; field: string };

const ELEMENT = /^(cmi|adl)(\.[a-z_]+)+$/;
const MEMBER = /^cmi\.(interactions|objectives)\[(.{1,250})\]\.([a-z_]+(?:\.[a-z_]+)*)$/;
/** Elements that say nothing about the learner, or hold the state of the package. */
const EXCLUDED = new Set([
  "cmi.suspend_data",
  "cmi.core.exit",
  "cmi.exit",
  "cmi.core.session_time",
  "cmi.session_time",
]);

/** Parses a path; null if it is none. */
export function parsePath(path: string): Path | null {
  const member = MEMBER.exec(path);
  if (member) {
    const [, kind, id = "", field = ""] = member;
    return { kind: kind as "interactions" | "objectives", id, field };
  }
  return ELEMENT.test(path) && !EXCLUDED.has(path) ? { kind: "element", element: path } : null;
}

const INDEXED = /^cmi\.(interactions|objectives)\.(\d{1,5})\.([a-z_]+(?:\.[a-z_]+)*)$/;

/** An element with an index: `cmi.interactions.3.result`; null for any other. */
export function parseIndexed(element: string) {
  const found = INDEXED.exec(element);
  if (!found) return null;
  const [, kind, index, field = ""] = found;
  return { kind: kind as "interactions" | "objectives", index: Number(index), field };
}
