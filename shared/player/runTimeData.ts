// Rules of the SCORM run-time data that server and player share

/**
 * How the last visit of a part ended. `exit` is cmi.exit or cmi.core.exit, `request` adl.nav.request; both may be
 * empty.
 */
export type VisitEnd = { terminated: boolean; exit: string; request: string };

/** True if the next visit resumes: the last one was suspended, or its tab was closed without Terminate. */
export const isSuspended = ({ terminated, exit, request }: VisitEnd) =>
  !terminated || exit === "suspend" || request === "suspendAll";

/**
 * True if the last visit has ended the learner attempt of the part: the next one begins with new run-time data (SCORM
 * 2004 4th Ed. RTE 2.1.1 and 4.2.8). SCORM 1.2 keeps the data of a part.
 */
export const hasEndedAttempt = (kind: string, end: VisitEnd) => kind === "scorm2004" && !isSuspended(end);

/** The names of elements that differ between the versions. */
export const elementNames = (kind: string) =>
  kind === "scorm12"
    ? {
        entry: "cmi.core.entry",
        exit: "cmi.core.exit",
        sessionTime: "cmi.core.session_time",
        totalTime: "cmi.core.total_time",
        formatTime: formatTimespan,
      }
    : {
        entry: "cmi.entry",
        exit: "cmi.exit",
        sessionTime: "cmi.session_time",
        totalTime: "cmi.total_time",
        formatTime: formatDuration,
      };
/**
 * True if a Terminate ends the visit. A package that terminates without an exit value while its page is unloaded (the
 * tab closes, or the learner exits or opens another part) is treated like one whose tab was killed: it resumes.
 */
export const endsVisit = ({ isUnloaded, hasExit }: { isUnloaded: boolean; hasExit: boolean }) => !isUnloaded || hasExit;

/** Value of a `scorm.terminate` event of a part whose page was being unloaded. */
export const UNLOADED = "closing";
export const NAVIGATION_REQUEST = "adl.nav.request";

/**
 * Seconds of a CMITimespan `HHHH:MM:SS.SS` (1.2) or a duration `P1DT2H3M4.5S` (2004, ISO 8601; years and months count
 * as the averages that the SCORM 2004 reference uses). Null if the text is neither.
 */
export function parseSeconds(text: string): number | null {
  const clock = /^(\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const iso = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    text,
  );
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
