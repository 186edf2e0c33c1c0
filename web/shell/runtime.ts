import type { Content } from "#shared/sequencing/contentValues.ts";
import { MAX_VALUE_CHARS } from "#shared/player/playerTiming.ts";
import { elementNames, NAVIGATION_REQUEST, parseSeconds } from "#shared/player/runTimeData.ts";

type ScormApi = Record<string, (...args: string[]) => string> & {
  loadFromFlattenedJSON: (values: Record<string, string>, element: string) => void;
  cmi: Record<string, unknown> & { core?: Record<string, unknown> };
};
/** The type files of scorm-again 3.4.3 do not match the exports of its modules. */
type Constructor = new (settings: { autocommit: boolean; logLevel: string }) => ScormApi;
export type Hooks = {
  initialized: () => void;
  set: (key: string, value: string) => void;
  committed: () => void;
  terminated: (request: string) => void;
  /** True once the session has ended: nothing is accepted any more. */
  isStopped: () => boolean;
};
type Api = Record<string, (...args: unknown[]) => string>;
export type Runtime = { name: "API" | "API_1484_11"; api: Api; content: () => Content | null };
/**
 * The sequencing rules of a package say which navigation requests are valid, and what becomes of a part that says
 * nothing of its status.
 */
export type Sequenced = { isValid: (element: string) => string | null };

const runtimes = {
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
  },
} as const;

/** SCORM has a run-time API; other content reports by statements or by the bridge. */
export const hasRunTime = (kind: string): kind is keyof typeof runtimes => kind in runtimes;

const COLLECTIONS =
  "interactions|objectives|comments_from_learner|comments_from_lms|student_data|student_preference|learner_preference";
/** Containers of other elements. They cannot be set, but the library would let them overwrite the data model. */
const container = new RegExp(
  `^(${[
    "cmi",
    "adl",
    String.raw`adl\.nav`,
    String.raw`adl\.nav\.request_valid`,
    String.raw`adl\.data(\.\d+)?`,
    String.raw`cmi\.core`,
    String.raw`cmi\.core\.score`,
    String.raw`cmi\.score`,
    String.raw`cmi\.(${COLLECTIONS})(\.\d+)?`,
    String.raw`cmi\.(interactions|objectives)\.\d+\.(correct_responses|objectives|score)(\.\d+)?`,
  ].join("|")})$`,
);

/**
 * Creates the SCORM API for a package: scorm-again with its data model preloaded, wrapped so that every accepted value
 * is reported to `hooks`. It never uses the network itself. `page` returns the current document of the part.
 */
export async function createRuntime(
  kind: "scorm12" | "scorm2004",
  givenValues: Record<string, string>,
  page: () => Document | null,
  hooks: Hooks,
  sequenced: Sequenced | null = null,
): Promise<Runtime> {
  const names = { ...runtimes[kind], ...elementNames(kind) };
  let values = givenValues;
  const settings = { autocommit: false, logLevel: "NONE" };
  const library = (await (kind === "scorm12"
    ? import("scorm-again/scorm12")
    : import("scorm-again/scorm2004"))) as unknown as Record<string, Constructor>;
  const createApi = (initialValues: Record<string, string>) => {
    const created = new (library[names.library] as Constructor)(settings);
    created.loadFromFlattenedJSON(initialValues, "");
    return created;
  };
  let scorm = createApi(values);
  const call = (name: string, ...args: string[]) => String((scorm[name] as ScormApi[string])(...args));

  /** Error code of the last call if the wrapper rejected it; "0" if the library decides. */
  let errorCode = "0";
  let request = "";
  let running = false;
  let ended = false;
  let owner: Document | null = null;
  const reported = new Map<string, string>();
  const reject = (code: string) => {
    errorCode = code;
    return "false";
  };
  /** Reports statuses that the library has derived: from the mastery score in 1.2, from thresholds in 2004. */
  const reportDerived = (read: (key: string) => string) => {
    for (const key of names.derived) {
      const value = read(key);
      const before = reported.get(key) ?? values[key] ?? "";
      const isUnset = value === "" || value === "unknown" || value === "not attempted";
      if (!isUnset && value !== before) {
        reported.set(key, value);
        hooks.set(key, value);
      }
    }
  };
  const nextVisitValues = () => {
    const seconds = parseSeconds(values[names.totalTime] ?? "") ?? 0;
    const sessionSeconds = parseSeconds(reported.get(names.sessionTime) ?? "") ?? 0;
    request = "";
    for (const name of [names.exit, names.sessionTime, NAVIGATION_REQUEST]) reported.delete(name);
    return {
      ...values,
      ...Object.fromEntries(reported),
      [names.entry]: "resume",
      [names.totalTime]: names.formatTime(seconds + sessionSeconds),
    };
  };
  /** Statuses by thresholds, while the part runs. */
  const derivedNow = () =>
    Object.fromEntries(
      running ? names.derived.flatMap((key) => [call(names.get, key)].map((value) => [key, value] as const)) : [],
    );
  const readStatus = (key: string) =>
    String((kind === "scorm12" ? scorm.cmi.core?.lesson_status : scorm.cmi[key.slice(4)]) ?? "");

  const api: Api = {
    [names.initialize]: (parameter = "") => {
      errorCode = "0";
      if (hooks.isStopped()) return reject(names.general);
      // A part of several pages, or a reloaded page, initializes again from another document: it resumes with the
      // current values.
      if (ended && page() !== owner) {
        values = nextVisitValues();
        scorm = createApi(values);
        ended = false;
      }
      const result = call(names.initialize, String(parameter));
      if (result === "true") {
        running = true;
        owner = page();
        hooks.initialized();
      }
      return result;
    },
    [names.get]: (key = "") => {
      errorCode = "0";
      if (ended && kind === "scorm12") {
        errorCode = "301";
        return "";
      }
      const validity = running ? (sequenced?.isValid(String(key)) ?? null) : null;
      return validity ?? call(names.get, String(key));
    },
    [names.set]: (key = "", value = "") => {
      errorCode = "0";
      const [name, text] = [String(key), String(value)];
      if (ended && kind === "scorm12") return reject("301");
      if (running && container.test(name.trim())) return reject(names.refused);
      if (running && text.length > MAX_VALUE_CHARS) return reject(names.tooLong);
      if (running && hooks.isStopped()) return reject(names.general);
      const result = call(names.set, name, text);
      if (result !== "true") return result;
      if (name === NAVIGATION_REQUEST) request = text;
      // Many packages set the same long value again with every save.
      if (name === "cmi.suspend_data" && reported.get(name) === text) return result;
      reported.set(name, text);
      hooks.set(name, text);
      return result;
    },
    [names.commit]: (parameter = "") => {
      errorCode = "0";
      if (ended && kind === "scorm12") return reject("301");
      if (running && hooks.isStopped()) return reject(names.failed);
      const result = call(names.commit, String(parameter));
      if (result === "true") hooks.committed();
      return result;
    },
    [names.terminate]: (parameter = "") => {
      errorCode = "0";
      if (ended && kind === "scorm12") return reject("301");
      if (running && kind === "scorm2004") reportDerived((key) => call(names.get, key));
      const result = call(names.terminate, String(parameter));
      if (result === "true" && running) {
        running = false;
        ended = true;
        if (kind === "scorm12") reportDerived(readStatus);
        // A part that ends without having set a status is completed (1.2: RTE 3.4.4, cmi.core.lesson_status; 2004: SN
        // 4.8.3).
        const status = reported.get(names.status) ?? values[names.status] ?? "";
        const suspends = reported.get(names.exit) === "suspend" || request === "suspendAll";
        if (["", "not attempted", "unknown"].includes(status) && !suspends && !sequenced) {
          reported.set(names.status, "completed");
          hooks.set(names.status, "completed");
        }
        if (hooks.isStopped()) return reject(names.failed);
        hooks.terminated(request);
      }
      return result;
    },
    [names.error]: () => (errorCode === "0" ? call(names.error) : errorCode),
    [names.text]: (code = "") => call(names.text, String(code)),
    [names.diagnostic]: (code = "") => call(names.diagnostic, String(code)),
  };
  if (kind === "scorm2004") Object.assign(api, { version: "1.0" });
  /** What the part has reported so far, of the last visit if it has ended; null if it was never initialized. */
  const content = () =>
    running || ended
      ? {
          values: { ...values, ...Object.fromEntries(reported), ...derivedNow() },
          set: new Set(reported.keys()),
          exit: reported.get(names.exit) ?? "",
        }
      : null;
  return { name: names.name, api, content };
}
