import { parseToolPath, type ToolPath } from "#shared/variables/variablePaths.ts";
import { MAX_SESSION_VALUES, MAX_TEXT_CHARS } from "#shared/variables/variableValues.ts";
import { findDispatchers, findVariables, listWindows, readStatement } from "#web/shell/toolValues.ts";

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
/** A variable that has taken longer than SLOW_MS to read this many times is not read any more. */
const SLOW_MS = 50;
const MAX_SLOW_READS = 3;

type Watched = {
  path: string;
  target: ToolPath;
  /** The document whose value was seen last, and that value as JSON. */
  document: Document | null;
  seen: string | null;
  recorded: string | null;
  slowReads: number;
};

/**
 * Reads the chosen variables of an authoring tool (`parseToolPath`) without a change of the package, and records them when they change:
 * what they are when the package begins says nothing about the learner. Results of H5P are recorded as they are stated. Whatever the package
 * does, it cannot disturb the player: it runs in the same process, so only a read that never ends cannot be ended.
 */
export function createPackageReader(paths: string[], hooks: Hooks) {
  const watched = paths.flatMap((path): Watched[] => {
    const target = parseToolPath(path);
    return target ? [{ path, target, document: null, seen: null, recorded: null, slowReads: 0 }] : [];
  });
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
  const readVariable = (
    one: Watched,
    name: string,
    { read, document }: NonNullable<ReturnType<typeof findVariables>>,
  ) => {
    const start = performance.now();
    let json: string | null = null;
    try {
      json = toJson(one, read(name));
    } catch {
      // Not ready, or broken: the next read may succeed.
    }
    if (performance.now() - start > SLOW_MS) countSlowRead(one);
    if (json === null) return;
    const isChanged = one.document === document && one.seen !== json;
    Object.assign(one, { document, seen: json });
    if (isChanged) record(one, json);
  };
  const readVariables = (tool: "storyline" | "captivate", windows: Window[]) => {
    const ofTool = watched.filter(({ target, slowReads }) => target.kind === tool && slowReads < MAX_SLOW_READS);
    if (ofTool.length === 0) return;
    const start = performance.now();
    const found = findVariables(tool, windows);
    if (performance.now() - start > SLOW_MS) for (const one of ofTool) countSlowRead(one);
    if (!found) return;
    for (const one of ofTool) if (one.target.kind === tool) readVariable(one, one.target.name, found);
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
      // A statement without the documented form says nothing.
    }
  };
  const listen = (windows: Window[]) => {
    if (!watched.some(({ target }) => target.kind === "h5p")) return;
    for (const dispatcher of findDispatchers(windows)) {
      if (listening.has(dispatcher)) continue;
      listening.add(dispatcher);
      try {
        dispatcher.on("xAPI", onStatement);
      } catch {
        // As good as none.
      }
    }
  };
  /** Reads now: at the latest moment before a part is left, or its tab closed. */
  const look = () => {
    if (hooks.isStopped()) return;
    const windows = listWindows(hooks.window());
    listen(windows);
    readVariables("storyline", windows);
    readVariables("captivate", windows);
  };
  if (watched.length === 0) return { look: () => {}, stop: () => {} };
  const timer = setInterval(look, INTERVAL_MS);
  return { look, stop: () => clearInterval(timer) };
}
