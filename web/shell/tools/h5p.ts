import { H5P_MAIN, type H5pField } from "#shared/variables/variablePaths.ts";

// H5P announces results as xAPI statements at `H5P.externalDispatcher`, as its vendor documents. A package may lack,
// break or fake these objects: every access can throw or return anything.

type Dispatcher = { on: (type: string, listener: (event: unknown) => void) => void };
type H5pWindow = Window & { H5P?: { externalDispatcher?: Dispatcher } };

/** The dispatchers of H5P in these windows. Frames of H5P share that of their parent. */
export function findDispatchers(windows: Window[]): Dispatcher[] {
  const dispatchers = windows.flatMap((window) => {
    try {
      const dispatcher = (window as H5pWindow).H5P?.externalDispatcher;
      return typeof dispatcher?.on === "function" ? [dispatcher] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(dispatchers)];
}

const SUB_CONTENT = "http://h5p.org/x-api/h5p-subContentId";

type Statement = {
  object?: { definition?: { extensions?: Record<string, unknown> } };
  result?: { response?: unknown; success?: unknown; completion?: unknown; score?: { raw?: unknown; scaled?: unknown } };
};

/** The results in the xAPI statement of an event, with the id of its content; null if there are none. May throw. */
export function readStatement(event: unknown): { id: string; results: Record<H5pField, unknown> } | null {
  const { object, result } = (event as { data: { statement: Statement } }).data.statement;
  if (!result) return null;
  const { response, success, completion, score } = result;
  const id = object?.definition?.extensions?.[SUB_CONTENT] ?? H5P_MAIN;
  if (typeof id !== "string") return null;
  return { id, results: { response, success, completion, score: score?.raw, scaled: score?.scaled } };
}
