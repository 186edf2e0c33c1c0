import type { TFunction } from "i18next";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import type { SessionEvent } from "#shared/player.ts";

export type Line = {
  seq: number;
  /** Milliseconds from the start of the session: first and last event of the line. */
  from: number;
  to: number;
  text: string;
  detail?: string;
  /** A part begins, something was answered, something went wrong: these stand out. */
  weight: "part" | "answer" | "bad" | "good" | "plain";
};
type Answer = { seq: number; from: number; to: number; fields: Record<string, string> };

/** Longest value that is printed as it is. */
const LONG = 120;
const short = (text: string) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text);

/** Seconds of `0001:02:03.5` (SCORM 1.2) or `PT1H2M3S` (2004), for reading; null when it is neither. */
function secondsOf(text: string) {
  const clock = /^(\d+):(\d\d?):(\d\d?(?:\.\d+)?)$/.exec(text);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  return iso
    ? Number(iso[1] ?? 0) * 86_400 + Number(iso[2] ?? 0) * 3600 + Number(iso[3] ?? 0) * 60 + Number(iso[4] ?? 0)
    : null;
}

/** What happened in a session, one line a thing, in words. The many fields of one answer become one line. */
export function timelineOf(events: SessionEvent[], parts: Record<string, string>, t: TFunction): Line[] {
  const lines: Line[] = [];
  const open = new Map<string, { answer: Answer; line: Line }>();
  const partOf = (sco: string | undefined) => (sco ? (parts[sco] ?? sco) : "");
  for (const event of events) {
    const field = event.type === "scorm.set" ? /^cmi\.interactions\.(\d+)\.(.+)$/.exec(event.key ?? "") : null;
    if (!field) {
      const line = lineOf(event, partOf(event.sco), t);
      if (line) lines.push({ seq: event.seq, from: event.t, to: event.t, ...line });
      continue;
    }
    const key = `${event.sco} ${field[1]}`;
    let one = open.get(key);
    if (!one || (field[2] === "id" && one.answer.fields.id !== undefined)) {
      const line: Line = { seq: event.seq, from: event.t, to: event.t, text: "", weight: "answer" };
      one = { answer: { seq: event.seq, from: event.t, to: event.t, fields: {} }, line };
      open.set(key, one);
      lines.push(line);
    }
    one.answer.fields[field[2] as string] = event.value ?? "";
    one.line.to = event.t;
    Object.assign(one.line, answerLine(one.answer.fields, t));
  }
  return lines;
}

function answerLine(fields: Record<string, string>, t: TFunction): Pick<Line, "text" | "detail" | "weight"> {
  const question = fields.description || fields.id || t("reports.event.question");
  const response = fields.learner_response ?? fields.student_response;
  const expected = Object.entries(fields)
    .filter(([name]) => /^correct_responses\.\d+\.pattern$/.test(name))
    .map(([, value]) => value)
    .join(", ");
  const { result } = fields;
  const time = fields.latency ? secondsOf(fields.latency) : null;
  const wrong = result === "wrong" || result === "incorrect";
  const detail = [
    ...(result ? [t(`reports.result.${result as "correct"}`, { defaultValue: result })] : []),
    ...(wrong && expected ? [t("reports.event.expected", { answer: short(expected) })] : []),
    ...(time !== null ? [t("reports.event.after", { time: formatDuration(time) })] : []),
  ].join(", ");
  const text =
    response === undefined
      ? t("reports.event.asked", { question: short(question) })
      : t("reports.event.answer", { question: short(question), response: short(response) });
  return { text, detail, weight: "answer" };
}

type Words = Pick<Line, "text" | "detail" | "weight">;

/** The words of one event; null for those that say nothing to people. */
function lineOf(event: SessionEvent, part: string, t: TFunction): Words | null {
  const value = event.value ?? "";
  const plain = (text: string, detail?: string): Words => ({ text, weight: "plain", ...(detail && { detail }) });
  switch (event.type) {
    case "launch":
      return plain(t("reports.event.launch"), value && t("reports.event.window", { size: value.replace("x", " × ") }));
    case "nav":
      return { text: t("reports.event.nav", { part }), weight: "part" };
    case "ready":
      return plain(t("reports.event.ready"));
    case "scorm.init":
      return plain(t("reports.event.init"));
    case "scorm.commit":
      return null;
    case "scorm.terminate":
      return plain(t("reports.event.terminate", { part }));
    case "confirm":
      return { text: t("reports.event.confirm"), weight: "good" };
    case "visibility":
      return plain(t(value === "hidden" ? "reports.event.hidden" : "reports.event.visible"));
    case "idle":
      return plain(t("reports.event.idle"));
    case "error":
      return { text: t("reports.event.error"), detail: short(value), weight: "bad" };
    case "exit":
      return plain(t("reports.event.exit"));
    case "scorm.set":
      return setLine(event.key ?? "", value, t);
    default:
      return plain(event.type);
  }
}

function setLine(key: string, value: string, t: TFunction): Words {
  const plain = (text: string): Words => ({ text, weight: "plain" });
  const name = key.replace(/^cmi\.(core\.)?/, "");
  const time = name === "session_time" ? secondsOf(value) : null;
  if (name === "lesson_location" || name === "location")
    return plain(t("reports.event.location", { value: short(value) }));
  if (name === "suspend_data") return plain(t("reports.event.suspend", { count: Number(value) || 0 }));
  if (name === "lesson_status" || name === "completion_status" || name === "success_status") {
    const weight = value === "passed" || value === "completed" ? "good" : value === "failed" ? "bad" : "plain";
    return {
      text: t("reports.event.status", {
        status: t(`reports.scormStatus.${value.replace(/ /g, "_") as "passed"}`, { defaultValue: value }),
      }),
      weight,
    };
  }
  if (name === "score.raw") return plain(t("reports.event.score", { value }));
  if (name === "score.scaled") return plain(t("reports.event.score", { value: formatPercent(Number(value) * 100) }));
  if (name === "score.min" || name === "score.max")
    return plain(t(name === "score.min" ? "reports.event.scoreMin" : "reports.event.scoreMax", { value }));
  if (name === "progress_measure")
    return plain(t("reports.event.progress", { value: formatPercent(Number(value) * 100) }));
  if (time !== null) return plain(t("reports.event.time", { time: formatDuration(time) }));
  if (name === "exit") return plain(t(value === "suspend" ? "reports.event.suspended" : "reports.event.leave"));
  if (key === "adl.nav.request") return plain(t("reports.event.request", { value: short(value) }));
  return { text: t("reports.event.set", { key: name }), detail: short(value), weight: "plain" };
}

/** The line that holds a moment: the last that began at or before it. */
export function lineAt(lines: Line[], ms: number) {
  const inside = lines.findLastIndex((line) => line.from <= ms && ms <= line.to);
  return inside >= 0
    ? inside
    : Math.max(
        0,
        lines.findLastIndex((line) => line.from <= ms),
      );
}
