import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import { hashText } from "#web/lessons/learner/localLesson.ts";
import type { ExportedCourse } from "#shared/lessons/transfer/exported.ts";
import { lessonState, type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import { walkObjects } from "#shared/lessons/walk.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

// What a learner has done, as a text that a learning platform keeps: JSON whose ids are numbers, compressed

export type Progress = {
  /** Orders what is shuffled. */
  seed: string;
  /** Never taken back. */
  isDone: boolean;
  isPassed: boolean;
  best: number | null;
  /** The lesson that is open. */
  current: string;
  values: Record<string, VariableValue>;
  lessons: Record<string, LessonState>;
};
/**
 * What did not fit: `answers` that were given in other lessons, of which the results stay; `texts` that were written
 * too; or `all` since the last time.
 */
export type Loss = "nothing" | "answers" | "texts" | "all";

const VERSION = 1;
/** Words of the JSON, so that short texts are compressed well. */
const DICTIONARY = strToU8(
  '{"v":1,"h":,"s":"","c":"~","d":1,"p":1,"b":100,"V":{"},"L":{"~":{"s":"0-","last":"~","answers":{"~":{"response":' +
    '{"kind":"trueFalse","value":true},{"kind":"number","value":{"kind":"text","text":"{"kind":"fill","gaps":{"~' +
    '{"kind":"order","ids":["~{"kind":"match","pairs":{"~{"kind":"choices","chosen":["~"]},"share":0,"best":0,"tries' +
    '":{"kind":"choices","chosen":["~"]},"share":1,"best":1,"tries":1},"checked":{"watched":{"duration":"ranges":[[0,' +
    '"written":["confirmed":{"scenarios":{"path":[{"step":"~","choice":"~"},"endings":["runs":"last":{"ending":' +
    '"tone":"chosen":["quiz":{"started":1,"open":null,"closed":[{"no":1,"startedAt":"20","closedAt":"20","earned":' +
    '"points":"isTimeUp":false}],"best":{"drawn":["~","ended":true,',
);

/** The ids of a course in the order of its text. */
function createIds({ modules }: ExportedCourse) {
  const list: string[] = [];
  const known = new Set<string>();
  walkObjects(modules, (object) => {
    for (const key of ["id", "rightId"] as const) {
      const id = object[key];
      if (typeof id !== "string" || known.has(id)) continue;
      known.add(id);
      list.push(id);
    }
  });
  const places = new Map(list.map((id, at) => [id, at.toString(36)]));
  return {
    sum: hashText(list.join(" ")).toString(36),
    shorten: (text: string) => {
      const at = places.get(text);
      if (at !== undefined) return `~${at}`;
      return text.startsWith("~") ? `~${text}` : text;
    },
    lengthen: (text: string) => {
      if (!text.startsWith("~")) return text;
      return text.startsWith("~~") ? text.slice(1) : (list[Number.parseInt(text.slice(1), 36)] ?? text);
    },
  };
}

/** A JSON value with all of its texts and keys changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]));
}

/** `0-4,7` */
function toRanges(places: number[]) {
  const sorted = places.toSorted((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const place of sorted) {
    const last = ranges.at(-1);
    if (last && place <= last[1] + 1) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}
const fromRanges = (text: string): number[] =>
  text.split(",").flatMap((range) => {
    const [from = -1, to = from] = range.split("-").map(Number);
    return from >= 0 && to - from < 1000 ? Array.from({ length: to - from + 1 }, (_, n) => from + n) : [];
  });

const isEmpty = (value: unknown) =>
  value === null || value === false || (typeof value === "object" && Object.keys(value).length === 0);

/** Reads and writes the progress in one course. */
export function createProgress(course: ExportedCourse) {
  const ids = createIds(course);
  const lessons = course.modules.flatMap((module) => module.lessons);
  const blocksOf = new Map(lessons.map(({ id, document }) => [id, document.blocks.map((block) => block.id)]));

  const compact = (sco: string, { values: _, seen, ...state }: LessonState, keepsAnswers: boolean) => {
    const blocks = blocksOf.get(sco) ?? [];
    const answers = Object.entries(state.answers).map(([id, { response, ...rest }]) => [
      id,
      keepsAnswers ? { response, ...rest } : rest,
    ]);
    const all = { ...state, s: toRanges(seen.map((id) => blocks.indexOf(id))), answers: Object.fromEntries(answers) };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value) && value !== ""));
  };
  const pack = (progress: Progress, loss: Loss) => {
    const states = Object.entries(progress.lessons)
      .map(([sco, state]) => [sco, compact(sco, state, loss === "nothing" || sco === progress.current)] as const)
      .filter(([, state]) => !isEmpty(state));
    const values = Object.entries(progress.values).filter(([, value]) => loss !== "texts" || typeof value !== "string");
    const json = {
      v: VERSION,
      h: ids.sum,
      s: progress.seed,
      c: progress.current,
      d: Number(progress.isDone),
      p: Number(progress.isPassed),
      b: progress.best,
      V: Object.fromEntries(values),
      L: Object.fromEntries(states),
    };
    const bytes = strToU8(JSON.stringify(mapTexts(json, ids.shorten)));
    return btoa(strFromU8(deflateSync(bytes, { level: 9, dictionary: DICTIONARY }), true));
  };

  const unpackLesson = (sco: string, stored: Record<string, unknown>): LessonState | null => {
    const blocks = blocksOf.get(sco) ?? [];
    const { s: seen = "", answers = {}, ...rest } = stored;
    const given = Object.entries(answers as Record<string, object>).map(([id, answer]) => [
      id,
      // What was chosen did not fit.
      { response: { kind: "choices", chosen: [] }, ...answer },
    ]);
    const parsed = lessonState.safeParse({
      ...newLessonState(),
      ...rest,
      answers: Object.fromEntries(given),
      seen: fromRanges(String(seen)).flatMap((place) => blocks[place] ?? []),
    });
    return parsed.data ?? null;
  };

  return {
    /** The text, at most `room` characters; null if not even the results fit. */
    write(progress: Progress, room: number): { text: string | null; loss: Loss } {
      for (const loss of ["nothing", "answers", "texts"] as const) {
        const text = pack(progress, loss);
        if (text.length <= room) return { text, loss };
      }
      return { text: null, loss: "all" };
    },
    /** Null for nothing, for the text of another course or version of it, and for one that is damaged. */
    read(text: string): Progress | null {
      try {
        const bytes = inflateSync(strToU8(atob(text), true), { dictionary: DICTIONARY });
        const json = mapTexts(JSON.parse(strFromU8(bytes)), ids.lengthen) as Record<string, unknown>;
        if (json["v"] !== VERSION || json["h"] !== ids.sum) return null;
        const states = Object.entries(json["L"] as Record<string, Record<string, unknown>>).flatMap(([sco, stored]) => {
          const state = unpackLesson(sco, stored);
          return state ? [[sco, state] as const] : [];
        });
        const values = Object.entries(json["V"] as object).flatMap(([key, value]) => {
          const parsed = variableValue.safeParse(value);
          return parsed.success ? [[key, parsed.data] as const] : [];
        });
        return {
          seed: String(json["s"]),
          current: String(json["c"]),
          isDone: json["d"] === 1,
          isPassed: json["p"] === 1,
          best: typeof json["b"] === "number" ? json["b"] : null,
          values: Object.fromEntries(values),
          lessons: Object.fromEntries(states),
        };
      } catch {
        return null;
      }
    },
  };
}
