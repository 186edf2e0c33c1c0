/** What the data model element of a SetValue call means to us (SCORM 1.2 RTE 3.4; SCORM 2004 RTE 4.2). */
export type Element =
  | { is: "answer"; n: number; field: string }
  | { is: "status" | "success" | "score" | "progress" | "sessionTime" | "suspendData" | "request" | "other" };

const named: Record<string, Exclude<Element, { is: "answer" }>["is"]> = {
  "cmi.core.lesson_status": "status",
  "cmi.completion_status": "status",
  "cmi.success_status": "success",
  "cmi.core.session_time": "sessionTime",
  "cmi.session_time": "sessionTime",
  "cmi.suspend_data": "suspendData",
  "cmi.progress_measure": "progress",
  "adl.nav.request": "request",
};

export function readElement(name: string): Element {
  const known = named[name];
  if (known) return { is: known };
  const answer = /^cmi\.interactions\.(\d{1,5})\.(.{1,200})$/.exec(name);
  if (answer) return { is: "answer", n: Number(answer[1]), field: answer[2] as string };
  return { is: /^cmi\.(core\.)?score\.\w+$/.test(name) ? "score" : "other" };
}

/**
 * Seconds of a CMITimespan `HHHH:MM:SS.SS` (1.2) or a duration `P1DT2H3M4.5S` (2004, ISO 8601; years and months by the
 * averages that the SCORM 2004 reference uses). Null when it is neither.
 */
export function seconds(text: string): number | null {
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

const two = (n: number) => String(n).padStart(2, "0");

/** `HHHH:MM:SS.SS`, as cmi.core.total_time wants it (SCORM 1.2 RTE 3.4.4). */
export function timespan(total: number) {
  const cents = Math.round(total * 100);
  const [h, m, s, c] = [
    Math.floor(cents / 360_000),
    Math.floor(cents / 6000) % 60,
    Math.floor(cents / 100) % 60,
    cents % 100,
  ];
  return `${String(h).padStart(4, "0")}:${two(m)}:${two(s)}.${two(c)}`;
}

/** `PT1H2M3.45S`, as cmi.total_time wants it (SCORM 2004 RTE 4.2.27). */
export function duration(total: number) {
  const cents = Math.round(total * 100);
  const [h, m] = [Math.floor(cents / 360_000), Math.floor(cents / 6000) % 60];
  return `PT${h}H${m}M${(cents % 6000) / 100}S`;
}
