import { MAX_VALUE_CHARS } from "#shared/playerTiming.ts";

type Native = Record<string, (...args: string[]) => string> & {
  loadFromFlattenedJSON: (values: Record<string, string>, element: string) => void;
};
/** Its type files name other exports than its modules have (3.4.3). */
type Constructor = new (settings: { autocommit: boolean; logLevel: string }) => Native;
export type Hooks = {
  initialized: () => void;
  set: (key: string, value: string) => void;
  committed: () => void;
  terminated: (request: string) => void;
  /** True when the session is over: nothing may be accepted any more. */
  stopped: () => boolean;
};
type Api = Record<string, (...args: unknown[]) => string>;
export type Runtime = { name: "API" | "API_1484_11"; api: Api };

const names = {
  scorm12: {
    name: "API",
    library: "Scorm12API",
    initialize: "LMSInitialize",
    terminate: "LMSFinish",
    get: "LMSGetValue",
    set: "LMSSetValue",
    commit: "LMSCommit",
    error: "LMSGetLastError",
    text: "LMSGetErrorString",
    diagnostic: "LMSGetDiagnostic",
    refused: "401",
    tooLong: "405",
    general: "101",
    failed: "101",
    derived: ["cmi.core.lesson_status"],
    status: "cmi.core.lesson_status",
    entry: "cmi.core.entry",
    exit: "cmi.core.exit",
  },
  scorm2004: {
    name: "API_1484_11",
    library: "Scorm2004API",
    initialize: "Initialize",
    terminate: "Terminate",
    get: "GetValue",
    set: "SetValue",
    commit: "Commit",
    error: "GetLastError",
    text: "GetErrorString",
    diagnostic: "GetDiagnostic",
    refused: "401",
    tooLong: "406",
    general: "351",
    failed: "391",
    derived: ["cmi.completion_status", "cmi.success_status"],
    status: "cmi.completion_status",
    entry: "cmi.entry",
    exit: "cmi.exit",
  },
} as const;

/** Names that hold other elements and are no elements themselves. The library would let them overwrite the data model. */
const container =
  /^(cmi|adl|adl\.nav|adl\.nav\.request_valid|adl\.data(\.\d+)?|cmi\.core|cmi\.core\.score|cmi\.score|cmi\.(interactions|objectives|comments_from_learner|comments_from_lms|student_data|student_preference|learner_preference)(\.\d+)?|cmi\.(interactions|objectives)\.\d+\.(correct_responses|objectives|score)(\.\d+)?)$/;

/**
 * The run-time that a package finds: scorm-again with its data model preloaded, behind a guard of ours that reports every
 * accepted value. It never talks to the network itself.
 */
export async function createRuntime(
  kind: "scorm12" | "scorm2004",
  values: Record<string, string>,
  page: () => Document | null,
  hooks: Hooks,
): Promise<Runtime> {
  const n = names[kind];
  const settings = { autocommit: false, logLevel: "NONE" };
  const library = (await (kind === "scorm12"
    ? import("scorm-again/scorm12")
    : import("scorm-again/scorm2004"))) as unknown as Record<string, Constructor>;
  const fresh = (given: Record<string, string>) => {
    const made = new (library[n.library] as Constructor)(settings);
    made.loadFromFlattenedJSON(given, "");
    return made;
  };
  let native = fresh(values);
  const call = (name: string, ...args: string[]) => String((native[name] as Native[string])(...args));

  let ours = "0";
  let request = "";
  let running = false;
  let ended = false;
  let owner: Document | null = null;
  const reported = new Map<string, string>();
  const refuse = (code: string) => {
    ours = code;
    return "false";
  };
  /** Hands on what the library worked out by itself: mastery in 1.2, thresholds in 2004. */
  const derive = (read: (key: string) => string) => {
    for (const key of n.derived) {
      const value = read(key);
      const before = reported.get(key) ?? values[key] ?? "";
      const silent = value === "" || value === "unknown" || value === "not attempted";
      if (!silent && value !== before) {
        reported.set(key, value);
        hooks.set(key, value);
      }
    }
  };
  const cmi = () => (native as unknown as { cmi: Record<string, unknown> & { core?: Record<string, unknown> } }).cmi;
  const after = (key: string) => String((kind === "scorm12" ? cmi().core?.lesson_status : cmi()[key.slice(4)]) ?? "");

  const api: Api = {
    [n.initialize]: (given = "") => {
      ours = "0";
      if (hooks.stopped()) return refuse(n.general);
      // A part of several pages, or a page that was reloaded, begins again in another document: it goes on with what is there.
      if (ended && page() !== owner) {
        const { [n.exit]: _, ...held } = { ...values, ...Object.fromEntries(reported), [n.entry]: "resume" };
        native = fresh(held);
        ended = false;
      }
      const done = call(n.initialize, String(given));
      if (done === "true") {
        running = true;
        owner = page();
        hooks.initialized();
      }
      return done;
    },
    [n.get]: (key = "") => {
      ours = "0";
      if (ended && kind === "scorm12") {
        ours = "301";
        return "";
      }
      return call(n.get, String(key));
    },
    [n.set]: (key = "", value = "") => {
      ours = "0";
      const [name, text] = [String(key), String(value)];
      if (ended && kind === "scorm12") return refuse("301");
      if (running && container.test(name.trim())) return refuse(n.refused);
      if (running && text.length > MAX_VALUE_CHARS) return refuse(n.tooLong);
      if (running && hooks.stopped()) return refuse(n.general);
      const done = call(n.set, name, text);
      if (done !== "true") return done;
      if (name === "adl.nav.request") request = text;
      reported.set(name, text);
      hooks.set(name, text);
      return done;
    },
    [n.commit]: (given = "") => {
      ours = "0";
      if (ended && kind === "scorm12") return refuse("301");
      if (running && hooks.stopped()) return refuse(n.failed);
      const done = call(n.commit, String(given));
      if (done === "true") hooks.committed();
      return done;
    },
    [n.terminate]: (given = "") => {
      ours = "0";
      if (ended && kind === "scorm12") return refuse("301");
      if (running && kind === "scorm2004") derive((key) => call(n.get, key));
      const done = call(n.terminate, String(given));
      if (done === "true" && running) {
        running = false;
        ended = true;
        if (kind === "scorm12") derive(after);
        // A part that ends without ever naming a status is completed (1.2: RTE 3.4.4, cmi.core.lesson_status; 2004: SN 4.8.3, completionSetByContent).
        const named = reported.get(n.status) ?? values[n.status] ?? "";
        if (["", "not attempted", "unknown"].includes(named) && reported.get(n.exit) !== "suspend") {
          reported.set(n.status, "completed");
          hooks.set(n.status, "completed");
        }
        if (hooks.stopped()) return refuse(n.failed);
        hooks.terminated(request);
      }
      return done;
    },
    [n.error]: () => (ours === "0" ? call(n.error) : ours),
    [n.text]: (code = "") => call(n.text, String(code)),
    [n.diagnostic]: (code = "") => call(n.diagnostic, String(code)),
  };
  if (kind === "scorm2004") Object.assign(api, { version: "1.0" });
  return { name: n.name, api };
}
