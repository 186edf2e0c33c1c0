import type { TFunction } from "i18next";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { describeResponse, type Questions } from "#shared/courses/questions.ts";
import { describeAnswer, readStoredAnswer } from "#shared/lessons/answerText.ts";
import { resultOf } from "#shared/lessons/judge.ts";
import { lessonValues } from "#shared/lessons/lessonEvents.ts";
import { type QuizEventType, quizValues } from "#shared/lessons/quizEvents.ts";
import { MASKED_VALUE } from "#shared/variables/variables.ts";
import { RECORDING_ENDED } from "#shared/recordings/recordingLimits.ts";
import type { RecordingEnd } from "#shared/player/shell.ts";
import type { SessionEvent } from "#shared/player/player.ts";

export type TimelineLine = {
  seq: number;
  /** Time of the first and the last event of the line, in ms since the start of the session. */
  from: number;
  to: number;
  text: string;
  detail?: string;
  /** Visual emphasis. */
  weight: "part" | "answer" | "bad" | "good" | "plain";
};
/** Longer values are truncated. */
const MAX_VALUE_CHARS = 120;
const truncate = (text: string) => (text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text);

/** Seconds of `0001:02:03.5` (SCORM 1.2) or `PT1H2M3S` (2004); null if the text is neither. */
function secondsOf(text: string) {
  const clock = /^(\d+):(\d\d?):(\d\d?(?:\.\d+)?)$/.exec(text);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  return iso
    ? Number(iso[1] ?? 0) * 86_400 + Number(iso[2] ?? 0) * 3600 + Number(iso[3] ?? 0) * 60 + Number(iso[4] ?? 0)
    : null;
}

/** The events of a session as lines of text. All fields of an answer are combined into one line. */
export function toTimelineLines(
  events: SessionEvent[],
  parts: Record<string, string>,
  questions: Questions,
  t: TFunction,
): TimelineLine[] {
  const lines: TimelineLine[] = [];
  const openAnswers = new Map<string, { fields: Record<string, string>; line: TimelineLine }>();
  const titleOf = (sco: string | undefined) => (sco ? (parts[sco] ?? sco) : "");
  for (const event of events) {
    if (event.type === "block.answer") {
      const line = lessonAnswerText(event, questions, t);
      lines.push({ seq: event.seq, from: event.t, to: event.t, ...line });
      continue;
    }
    const field = event.type === "scorm.set" ? /^cmi\.interactions\.(\d+)\.(.+)$/.exec(event.key ?? "") : null;
    if (!field) {
      const line = eventText(event, titleOf(event.sco), questions, t);
      if (line) lines.push({ seq: event.seq, from: event.t, to: event.t, ...line });
      continue;
    }
    const key = `${event.sco} ${field[1]}`;
    let answer = openAnswers.get(key);
    // A second id under the same index starts a new answer
    if (!answer || (field[2] === "id" && answer.fields.id !== undefined)) {
      const line: TimelineLine = { seq: event.seq, from: event.t, to: event.t, text: "", weight: "answer" };
      answer = { fields: {}, line };
      openAnswers.set(key, answer);
      lines.push(line);
    }
    answer.fields[field[2] as string] = event.value ?? "";
    answer.line.to = event.t;
    Object.assign(answer.line, answerText(answer.fields, questions, t));
  }
  return lines;
}

function answerText(
  fields: Record<string, string>,
  questions: Questions,
  t: TFunction,
): Pick<TimelineLine, "text" | "detail" | "weight"> {
  const words = fields.id ? questions[fields.id] : undefined;
  const describe = (given: string) => describeResponse(given, fields.type ?? "", words);
  const question = words?.text || fields.description || fields.id || t("reports.event.question");
  const given = fields.learner_response ?? fields.student_response;
  const response = given === undefined ? undefined : describe(given);
  const expected = Object.entries(fields)
    .filter(([name]) => /^correct_responses\.\d+\.pattern$/.test(name))
    .map(([, value]) => describe(value))
    .join(", ");
  const { result } = fields;
  const time = fields.latency ? secondsOf(fields.latency) : null;
  const wrong = result === "wrong" || result === "incorrect";
  const detail = [
    ...(result ? [t(`reports.result.${result as "correct"}`, { defaultValue: result })] : []),
    ...(wrong && expected ? [t("reports.event.expected", { answer: truncate(expected) })] : []),
    ...(time !== null ? [t("reports.event.after", { time: formatDuration(time) })] : []),
  ].join(", ");
  const text =
    response === undefined
      ? t("reports.event.asked", { question: truncate(question) })
      : t("reports.event.answer", { question: truncate(question), response: truncate(response) });
  return { text, detail, weight: "answer" };
}

/** An answer in a lesson, as the server has judged it. */
function lessonAnswerText({ key = "", value = "" }: SessionEvent, questions: Questions, t: TFunction): LineText {
  const words = questions[key];
  const question = truncate(words?.text || t("reports.event.question"));
  const answer = readStoredAnswer(value);
  if (!answer) return { text: t("reports.event.asked", { question }), weight: "answer" };
  const { response, ms, share } = answer;
  const result = share === null ? t("reports.event.notCounted") : t(`reports.event.answered.${resultOf(share)}`);
  return {
    text: t("reports.event.answer", { question, response: truncate(describeAnswer(response, words)) }),
    detail: [result, t("reports.event.after", { time: formatDuration(ms / 1000) })].join(", "),
    weight: "answer",
  };
}

/** The text of what was done in a block; null for blocks that were only seen. */
function blockText({ type, value = "" }: SessionEvent, questions: Questions, t: TFunction): LineText | null {
  if (type === "block.check") return { text: t("reports.event.ticked", { count: countItems(value) }), weight: "plain" };
  if (type === "block.watched") return { text: t("reports.event.watched"), weight: "plain" };
  if (type === "block.choose") return choiceText(value, questions, t);
  if (type === "block.back" || type === "block.restart")
    return { text: t(`reports.event.${type === "block.back" ? "scenarioBack" : "scenarioRestart"}`), weight: "plain" };
  if (type === "block.confirm") return { text: t("reports.event.signed"), weight: "good" };
  if (type === "block.unclear") {
    const isMarked = lessonValues["block.unclear"].safeParse(parseJson(value)).data?.isMarked === true;
    return { text: t(`reports.event.${isMarked ? "unclear" : "unclearBack"}`), weight: "plain" };
  }
  return null;
}
/** A choice in a scenario. */
function choiceText(value: string, questions: Questions, t: TFunction): LineText {
  const sent = lessonValues["block.choose"].safeParse(parseJson(value)).data;
  const words = questions[sent?.step ?? ""];
  if (!sent || !words) return { text: t("reports.event.chose"), weight: "answer" };
  return {
    text: t("reports.event.answer", {
      question: truncate(words.text || t("reports.event.question")),
      response: truncate(words.responses[sent.choice] ?? sent.choice),
    }),
    detail: t("reports.event.after", { time: formatDuration(sent.ms / 1000) }),
    weight: "answer",
  };
}

const countItems = (value: string) => {
  try {
    const ids: unknown = JSON.parse(value);
    return Array.isArray(ids) ? ids.length : 0;
  } catch {
    return 0;
  }
};

/** What happened at a quiz; what the server refused has no time of its own. */
function quizText(type: QuizEventType, value: string, part: string, t: TFunction): LineText {
  const { attempt = 0, at } = quizValues[type].partial().safeParse(parseJson(value)).data ?? {};
  if (at === undefined) return { text: t("reports.event.quizRefused", { part }), weight: "plain" };
  const name = type.replace("quiz.", "") as "start";
  return { text: t(`reports.event.quiz.${name}`, { part, attempt }), weight: type === "quiz.end" ? "good" : "plain" };
}
function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

type LineText = Pick<TimelineLine, "text" | "detail" | "weight">;

/** The text of an event; null for events that are not shown. */
function eventText(event: SessionEvent, part: string, questions: Questions, t: TFunction): LineText | null {
  const value = event.value ?? "";
  const plain = (text: string, detail?: string): LineText => ({ text, weight: "plain", ...(detail && { detail }) });
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
    case "sequence":
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
      if (value.startsWith(RECORDING_ENDED)) return plain(t("reports.event.recordingEnded"), endOfRecording(value, t));
      return { text: t("reports.event.error"), detail: truncate(value), weight: "bad" };
    case "exit":
      return plain(t("reports.event.exit"));
    case "complete":
      return {
        text: value ? t("reports.event.completeScore", { score: value }) : t("reports.event.complete"),
        weight: "good",
      };
    case "block.seen":
    case "block.check":
    case "block.watched":
    case "block.confirm":
    case "block.choose":
    case "block.back":
    case "block.restart":
    case "block.unclear":
      return blockText(event, questions, t);
    case "quiz.start":
    case "quiz.end":
    case "quiz.pause":
    case "quiz.resume":
      return quizText(event.type, value, part, t);
    case "lesson.end":
      return { text: t("reports.event.lessonEnd", { part }), weight: "good" };
    case "package.set":
    case "variable.set":
      return { text: variableText(event.key ?? "", value, t), weight: "answer" };
    case "scorm.set":
      return valueText(event.key ?? "", value, t);
    default:
      return plain(event.type);
  }
}

/** The text of a variable's value, which is JSON, or a word in place of a masked value. */
function variableText(key: string, value: string, t: TFunction) {
  if (value === MASKED_VALUE) return t("reports.event.variableMasked", { key });
  const text = value.startsWith('"') ? String(JSON.parse(value)) : value;
  return t("reports.event.variable", { key, value: truncate(text) });
}

/** The text for the end of a recording. */
const endOfRecording = (value: string, t: TFunction) =>
  t(`reports.event.recordingEnd.${value.slice(RECORDING_ENDED.length) as RecordingEnd}`, { defaultValue: "" });

const statusWeights: Record<string, TimelineLine["weight"]> = { passed: "good", completed: "good", failed: "bad" };

/** The text of a data model value. */
function valueText(key: string, value: string, t: TFunction): LineText {
  const plain = (text: string): LineText => ({ text, weight: "plain" });
  const name = key.replace(/^cmi\.(core\.)?/, "");
  const time = name === "session_time" ? secondsOf(value) : null;
  if (name === "lesson_location" || name === "location")
    return plain(t("reports.event.location", { value: truncate(value) }));
  if (name === "suspend_data") return plain(t("reports.event.suspend", { count: Number(value) || 0 }));
  if (name === "lesson_status" || name === "completion_status" || name === "success_status") {
    return {
      text: t("reports.event.status", {
        status: t(`reports.scormStatus.${value.replace(/ /g, "_") as "passed"}`, { defaultValue: value }),
      }),
      weight: statusWeights[value] ?? "plain",
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
  if (key === "adl.nav.request") return plain(t("reports.event.request", { value: truncate(value) }));
  return { text: t("reports.event.set", { key: name }), detail: truncate(value), weight: "plain" };
}

/** The index of the line at a time: the one that contains it, otherwise the last one before it. */
export function lineIndexAt(lines: TimelineLine[], ms: number) {
  const containing = lines.findLastIndex(({ from, to }) => from <= ms && ms <= to);
  if (containing >= 0) return containing;
  const before = lines.findLastIndex(({ from }) => from <= ms);
  return Math.max(0, before);
}
