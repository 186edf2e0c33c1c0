// Paths of package values that set a variable without a change of the package. Of the SCORM data model: an element, or
// a field of an interaction or objective, which are named by their identifier because their index differs from attempt
// to attempt: cmi.interactions[q3].learner_response. Of an authoring tool: what the package exposes to the surrounding
// page, storyline[SelfRating], captivate[v_name], h5p[main].score, where the content of a package that contains others
// is named by its subContentId.

export type Path = DataModelPath | ToolPath;
export type DataModelPath =
  { kind: "element"; element: string } | { kind: "interactions" | "objectives"; id: string; field: string };
export type ToolPath = { kind: "storyline" | "captivate"; name: string } | { kind: "h5p"; id: string; field: H5pField };

/** Fields of the result of an xAPI statement; `score` is its raw score and `scaled` the one from -1 to 1. */
export const h5pFields = ["response", "score", "scaled", "success", "completion"] as const;
export type H5pField = (typeof h5pFields)[number];
/** Names the content of an H5P file itself, which has no subContentId. */
export const H5P_MAIN = "main";
/** Longest name of a variable of an authoring tool, in characters. */
export const MAX_TOOL_NAME_CHARS = 100;

const ELEMENT = /^(cmi|adl)(\.[a-z_]+)+$/;
const MEMBER = /^cmi\.(interactions|objectives)\[(.{1,250})\]\.([a-z_]+(?:\.[a-z_]+)*)$/;
const TOOL_VARIABLE = new RegExp(`^(storyline|captivate)\\[(.{1,${MAX_TOOL_NAME_CHARS}})\\]$`);
const H5P_RESULT = new RegExp(`^h5p\\[(.{1,${MAX_TOOL_NAME_CHARS}})\\]\\.(${h5pFields.join("|")})$`);
/** Elements that say nothing about the learner, or hold the state of the package. */
const EXCLUDED = new Set([
  "cmi.suspend_data",
  "cmi.core.exit",
  "cmi.exit",
  "cmi.core.session_time",
  "cmi.session_time",
]);

/** Parses a path; null if it is none. */
export const parsePath = (path: string): Path | null => parseToolPath(path) ?? parseDataModelPath(path);

/** Parses the path of a value that an authoring tool exposes; null if it is none. */
export function parseToolPath(path: string): ToolPath | null {
  const [, tool, name = ""] = TOOL_VARIABLE.exec(path) ?? [];
  if (tool) return { kind: tool as "storyline" | "captivate", name };
  const [, id, field] = H5P_RESULT.exec(path) ?? [];
  return id ? { kind: "h5p", id, field: field as H5pField } : null;
}

/** Parses the path of a value of the SCORM data model; null if it is none. */
export function parseDataModelPath(path: string): DataModelPath | null {
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
