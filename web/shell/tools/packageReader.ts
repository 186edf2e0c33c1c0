import { parseToolPath, type ToolPath } from "#shared/variables/variablePaths.ts";
import { MAX_SESSION_VALUES, MAX_TEXT_CHARS, type VariableValue } from "#shared/variables/variableTypes.ts";
import { findDispatchers, readStatement } from "#web/shell/tools/h5p.ts";
import { listWindows } from "#web/shell/tools/packageWindows.ts";
import { findVariables, followChanges, type FoundVariables } from "#web/shell/tools/toolVariables.ts";

type Hooks = {
  /** The window of the current part; null while there is none. */
  window: () => Window | null;
  /** Records a value; `value` is JSON. */
  record: (path: string, value: string) => void;
  /** Records once per path and reason why nothing is read. */
  refuse: (path: string, reason: "notReadable" | "tooSlow" | "tooManyValues") => void;
  isStopped: () => boolean;
};

/** Interval of reading, in ms. */
const INTERVAL_MS = 500;
/** Interval of the search for the tool of a new page, and how long the search continues at this interval, in ms. */
const SEARCH_MS = 25;
const MAX_SEARCH_MS = 60_000;
/** How long names are searched for at this interval once the tool was found, in ms. */
const MAX_NAME_SEARCH_MS = 5000;
/** A variable that has taken longer than SLOW_MS to read this many times is not read any more. */
const SLOW_MS = 50;
const MAX_SLOW_READS = 3;
/**
 * Changes of a variable that are read at once; each regular read allows one more. Further changes wait for the next
 * regular read.
 */
const MAX_BURST = 10;

type Watched = {
  path: string;
  target: ToolPath;
  /** Initial values of a page that are not new, as texts; none if they are not known. */
  known: Set<string>;
  /** The document whose value was seen last, and that value as JSON. */
  document: Document | null;
  seen: string | null;
  recorded: string | null;
  slowReads: number;
  burst: number;
  regainedAt: number;
};

/**
 * Reads the chosen variables of an authoring tool (`parseToolPath`) without a change of the package, and records them
 * when they change. `knownValues` are those that are not new when a page begins: the initial values of the package, and
 * the values recorded last. Without any, the first value that is read on a page is only remembered. Results of H5P
 * are recorded as reported. Errors in the package cannot disturb the player; but both run in the same process, so a
 * read that never ends cannot be stopped.
 */
export function createPackageReader(paths: string[], knownValues: Record<string, VariableValue[]>, hooks: Hooks) {
  const watched = paths.flatMap((path): Watched[] => {
    const target = parseToolPath(path);
    const values = new Set((knownValues[path] ?? []).map(String));
    return target
      ? [
          {
            path,
            target,
            known: values,
            document: null,
            seen: null,
            recorded: null,
            slowReads: 0,
            burst: MAX_BURST,
            regainedAt: performance.now(),
          },
        ]
      : [];
  });
  let foundIn: Document | null = null;
  let foundAt = 0;
  const listening = new WeakSet<object>();
  const refused = new Set<string>();
  let count = 0;

  const refuse = (path: string, reason: Parameters<Hooks["refuse"]>[1]) => {
    const once = `${path} ${reason}`;
    if (!refused.has(once)) hooks.refuse(path, reason);
    refused.add(once);
  };
  const record = (one: Watched, json: string) => {
    if (json === one.recorded) return;
    if (count >= MAX_SESSION_VALUES) return refuse(one.path, "tooManyValues");
    count++;
    one.recorded = json;
    hooks.record(one.path, json);
  };
  /** The value as JSON; null if there is none yet, or none that can be recorded. */
  const toJson = ({ path }: Watched, value: unknown) => {
    if (value === undefined || value === null) return null;
    const isShort = typeof value === "string" && value.length <= MAX_TEXT_CHARS;
    if (isShort) return JSON.stringify(value.toWellFormed());
    if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
      return JSON.stringify(value);
    refuse(path, "notReadable");
    return null;
  };

  const countSlowRead = (one: Watched) => {
    if (++one.slowReads >= MAX_SLOW_READS) refuse(one.path, "tooSlow");
  };
  /** The first value of a page is new if it is none of the known values. */
  const isNewAtFirst = ({ known: values }: Watched, json: string) =>
    values.size > 0 && !values.has(String(JSON.parse(json)));
  const readVariable = (one: Watched, name: string, { read, document }: FoundVariables) => {
    if (one.slowReads >= MAX_SLOW_READS) return;
    const start = performance.now();
    let json: string | null = null;
    try {
      json = toJson(one, read(name));
    } catch {
      // Not ready, or broken: the next read may succeed.
    }
    if (performance.now() - start > SLOW_MS) countSlowRead(one);
    if (json === null) return;
    const isChanged = one.document === document ? one.seen !== json : isNewAtFirst(one, json);
    Object.assign(one, { document, seen: json });
    if (isChanged) record(one, json);
  };
  /** False while the tool is still being searched for. */
  const readVariables = (tool: "storyline" | "captivate", windows: Window[]) => {
    const ofTool = watched.filter(({ target, slowReads }) => target.kind === tool && slowReads < MAX_SLOW_READS);
    if (ofTool.length === 0) return true;
    const start = performance.now();
    const toolVariables = findVariables(tool, windows);
    if (performance.now() - start > SLOW_MS) for (const one of ofTool) countSlowRead(one);
    if (!toolVariables) return false;
    const named = ofTool.flatMap((one) => (one.target.kind === tool ? { one, name: one.target.name } : []));
    for (const { one, name } of named) {
      one.burst = Math.min(MAX_BURST, one.burst + (start - one.regainedAt) / INTERVAL_MS);
      one.regainedAt = start;
      readVariable(one, name, toolVariables);
    }
    const names = named.map(({ name }) => name);
    followChanges(tool, toolVariables.window, names, (changed) => {
      for (const { one, name } of named)
        if (name === changed && one.burst >= 1 && !hooks.isStopped()) {
          one.burst--;
          readVariable(one, name, toolVariables);
        }
    });
    if (foundIn !== toolVariables.document) [foundIn, foundAt] = [toolVariables.document, start];
    // Stops searching for names that the package does not have.
    return start - foundAt > MAX_NAME_SEARCH_MS || ofTool.every(({ document }) => document === toolVariables.document);
  };
  const onStatement = (event: unknown) => {
    if (hooks.isStopped()) return;
    try {
      const statement = readStatement(event);
      for (const one of watched) {
        if (one.target.kind !== "h5p" || one.target.id !== statement?.id) continue;
        const json = toJson(one, statement.results[one.target.field]);
        if (json !== null) record(one, json);
      }
    } catch {
      // A statement without the documented form is ignored.
    }
  };
  /** False if there is no dispatcher yet. */
  const listen = (windows: Window[]) => {
    if (!watched.some(({ target }) => target.kind === "h5p")) return true;
    const dispatchers = findDispatchers(windows);
    for (const dispatcher of dispatchers) {
      if (listening.has(dispatcher)) continue;
      listening.add(dispatcher);
      try {
        dispatcher.on("xAPI", onStatement);
      } catch {
        // A broken dispatcher counts as none.
      }
    }
    return dispatchers.length > 0;
  };
  /** Reads now: just before a part is left or its tab is closed. True if everything was found. */
  const look = () => {
    if (hooks.isStopped()) return true;
    const windows = listWindows(hooks.window());
    const isHeard = listen(windows);
    const areRead = [readVariables("storyline", windows), readVariables("captivate", windows)];
    return isHeard && areRead.every(Boolean);
  };
  if (watched.length === 0) return { look: () => {}, stop: () => {} };

  let timer: ReturnType<typeof setTimeout> | undefined;
  let page: { document: Document | null; since: number } = { document: null, since: performance.now() };
  const documentNow = () => {
    try {
      return hooks.window()?.document ?? null;
    } catch {
      return null;
    }
  };
  const lookAgain = () => {
    const document = documentNow();
    if (document !== page.document) page = { document, since: performance.now() };
    const isSearching = !look() && performance.now() - page.since < MAX_SEARCH_MS;
    timer = setTimeout(lookAgain, isSearching ? SEARCH_MS : INTERVAL_MS);
  };
  timer = setTimeout(lookAgain, SEARCH_MS);
  return { look: () => void look(), stop: () => clearTimeout(timer) };
}
