/** The meaning of a data model element set by a package (SCORM 1.2 RTE 3.4; SCORM 2004 RTE 4.2). */
export type Element =
  | { kind: "answer"; n: number; field: string }
  | { kind: "status" | "success" | "score" | "progress" | "sessionTime" | "suspendData" | "request" | "other" };

const elementKinds: Record<string, Exclude<Element, { kind: "answer" }>["kind"]> = {
  "cmi.core.lesson_status": "status",
  "cmi.completion_status": "status",
  "cmi.success_status": "success",
  "cmi.core.session_time": "sessionTime",
  "cmi.session_time": "sessionTime",
  "cmi.suspend_data": "suspendData",
  "cmi.progress_measure": "progress",
  "adl.nav.request": "request",
};

/** Classifies a data model element by its name. */
export function readElement(name: string): Element {
  const kind = elementKinds[name];
  if (kind) return { kind };
  const answer = /^cmi\.interactions\.(\d{1,5})\.(.{1,200})$/.exec(name);
  if (answer) return { kind: "answer", n: Number(answer[1]), field: answer[2] as string };
  return { kind: /^cmi\.(core\.)?score\.\w+$/.test(name) ? "score" : "other" };
}
