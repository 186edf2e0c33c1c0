import { formatDuration } from "#web/player/exported/durations.ts";
import type { Interaction } from "#web/player/exported/interactions.ts";
import type { PackageStandard } from "#shared/lessons/transfer/exported.ts";

// The learning platform around an exported course, by SCORM 1.2 (Run-Time Environment 3.4) or 2004 (RTE 3.1, 4.2)

type Api = Record<string, (...args: string[]) => string>;
export type Outcome = {
  isDone: boolean;
  success: "unknown" | "passed" | "failed";
  /** Percent; null before the first graded answer. */
  score: number | null;
  /** From 0 to 1. */
  progress: number;
  location: string;
  suspended: string;
};
export type Platform = {
  isConnected: boolean;
  learner: string;
  /** What was suspended at the last visit. */
  suspended: string;
  /** Characters that can be suspended. */
  room: number;
  /** False if the platform did not take the suspended text. */
  report: (outcome: Outcome) => boolean;
  addInteraction: (interaction: Interaction) => void;
  commit: () => void;
  /** Ends the session. */
  end: () => void;
};

const dialects = {
  scorm12: {
    api: "API",
    prefix: "LMS",
    ends: "LMSFinish",
    learner: "cmi.core.student_name",
    location: "cmi.core.lesson_location",
    time: "cmi.core.session_time",
    exit: "cmi.core.exit",
    room: 4096,
  },
  scorm2004: {
    api: "API_1484_11",
    prefix: "",
    ends: "Terminate",
    learner: "cmi.learner_name",
    location: "cmi.location",
    time: "cmi.session_time",
    exit: "cmi.exit",
    room: 64_000,
  },
};
/** Interactions that platforms have to keep (SCORM 2004, RTE 4.2.9); more are not reported. */
const MAX_INTERACTIONS = 250;
const MAX_PARENTS = 500;

function findApi(name: string): Api | null {
  const within = (start: Window): Api | null => {
    let one = start;
    for (let n = 0; n < MAX_PARENTS; n++) {
      try {
        const api = (one as unknown as Record<string, Api | undefined>)[name];
        if (api) return api;
      } catch {
        // A window of another origin.
      }
      if (one.parent === one) return null;
      one = one.parent;
    }
    return null;
  };
  const { opener } = window as { opener: Window | null };
  return within(window) ?? (opener && within(opener));
}

function outcomeValues(standard: PackageStandard, { isDone, success, score, progress }: Outcome): [string, string][] {
  if (standard === "scorm12") {
    const done = success === "unknown" ? "completed" : success;
    return [
      ["cmi.core.lesson_status", isDone ? done : "incomplete"],
      ...(score === null
        ? []
        : ([
            ["cmi.core.score.min", "0"],
            ["cmi.core.score.max", "100"],
            ["cmi.core.score.raw", String(score)],
          ] as [string, string][])),
    ];
  }
  return [
    ["cmi.completion_status", isDone ? "completed" : "incomplete"],
    ["cmi.success_status", success],
    ["cmi.progress_measure", String(isDone ? 1 : Math.min(0.99, Math.round(progress * 100) / 100))],
    ...(score === null
      ? []
      : ([
          ["cmi.score.min", "0"],
          ["cmi.score.max", "100"],
          ["cmi.score.raw", String(score)],
          ["cmi.score.scaled", String(Math.round(score * 100) / 10_000)],
        ] as [string, string][])),
  ];
}

/** Starts a session with the platform around this page; without one, nothing is kept. */
export function connectPlatform(standard: PackageStandard): Platform {
  const names = dialects[standard];
  const api = findApi(names.api);
  const call = (name: string, ...args: string[]) => {
    try {
      return String(api?.[name]?.(...args) ?? "");
    } catch {
      return "";
    }
  };
  const isConnected = api !== null && call(`${names.prefix}Initialize`, "") === "true";
  const get = (element: string) => (isConnected ? call(`${names.prefix}GetValue`, element) : "");
  const stored = new Map<string, string>();
  let isOver = !isConnected;
  const set = (element: string, value: string) => {
    if (isOver || stored.get(element) === value) return true;
    if (call(`${names.prefix}SetValue`, element, value) !== "true") return false;
    stored.set(element, value);
    return true;
  };
  const startedAt = Date.now();
  let interactions = Number(get("cmi.interactions._count")) || 0;
  const learner = get(names.learner);
  const commit = () => void (isOver || call(`${names.prefix}Commit`, ""));
  return {
    isConnected,
    // "Family name, given name" in both standards.
    learner: learner
      .split(",")
      .map((part) => part.trim())
      .toReversed()
      .filter(Boolean)
      .join(" "),
    suspended: get("cmi.suspend_data"),
    room: names.room,
    report(outcome) {
      for (const [element, value] of outcomeValues(standard, outcome)) set(element, value);
      set(names.location, outcome.location);
      set(names.exit, "suspend");
      return set("cmi.suspend_data", outcome.suspended);
    },
    addInteraction(interaction) {
      if (interactions >= MAX_INTERACTIONS) return;
      const at = `cmi.interactions.${interactions}`;
      for (const [field, value] of interaction) set(`${at}.${field}`, value);
      interactions += 1;
    },
    commit,
    end() {
      if (isOver) return;
      set(names.time, formatDuration(standard, Date.now() - startedAt));
      commit();
      call(names.ends, "");
      isOver = true;
    },
  };
}
