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

/**
 * Seconds of a CMITimespan `HHHH:MM:SS.SS` (1.2) or a duration `P1DT2H3M4.5S` (2004, ISO 8601; years and months count as
 * the averages that the SCORM 2004 reference uses). Null if the text is neither.
 */
export function parseSeconds(text: string): number | null {
  const clock = /^(\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const iso = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (!iso) return null;
  const [years, months, days, hours, minutes, secs] = iso.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return years * 31_557_600 + months * 2_629_800 + days * 86_400 + hours * 3600 + minutes * 60 + secs;
}

const twoDigits = (n: number) => String(n).padStart(2, "0");

/** Seconds as `HHHH:MM:SS.SS`, the format of cmi.core.total_time (SCORM 1.2 RTE 3.4.4). */
export function formatTimespan(total: number) {
  const cents = Math.round(total * 100);
  const [h, m, s, c] = [
    Math.floor(cents / 360_000),
    Math.floor(cents / 6000) % 60,
    Math.floor(cents / 100) % 60,
    cents % 100,
  ];
  return `${String(h).padStart(4, "0")}:${twoDigits(m)}:${twoDigits(s)}.${twoDigits(c)}`;
}

/** Seconds as `PT1H2M3.45S`, the format of cmi.total_time (SCORM 2004 RTE 4.2.27). */
export function formatDuration(total: number) {
  const cents = Math.round(total * 100);
  const [h, m] = [Math.floor(cents / 360_000), Math.floor(cents / 6000) % 60];
  return `PT${h}H${m}M${(cents % 6000) / 100}S`;
}
