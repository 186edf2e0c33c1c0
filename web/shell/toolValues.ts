import { H5P_MAIN, type H5pField } from "#shared/variables/variablePaths.ts";

// Values that authoring tools expose to the page that frames their packages, as documented by the vendors:
// GetPlayer().GetVar(name) of Storyline, cpAPIInterface.getVariableValue(name) of Captivate, and xAPI statements at
// H5P.externalDispatcher. A package may lack, break or fake these objects: every access can throw or return anything.

type ToolWindow = Window & {
  GetPlayer?: () => { GetVar: (name: string) => unknown };
  cpAPIInterface?: { getVariableValue: (name: string) => unknown };
  H5P?: { externalDispatcher?: Dispatcher };
};
type Dispatcher = { on: (type: string, listener: (event: unknown) => void) => void };

const MAX_WINDOWS = 50;

/** The window of a package and those of its frames, outermost first; frames of other origins are left out. */
export function listWindows(root: Window | null): Window[] {
  const found: Window[] = [];
  const waiting = root ? [root] : [];
  while (waiting.length > 0 && found.length < MAX_WINDOWS) {
    const next = waiting.shift() as Window;
    try {
      // Throws for a window of another origin.
      void next.document;
      found.push(next);
      for (let i = 0; i < next.frames.length && i < MAX_WINDOWS; i++) waiting.push(next.frames[i] as Window);
    } catch {
      // A window that cannot be read is skipped.
    }
  }
  return found;
}

export type FoundVariables = { read: (name: string) => unknown; window: Window; document: Document };
/**
 * A function that reads the variables of a tool in the first window that has it, with that window and its document;
 * null without one.
 */
export function findVariables(tool: "storyline" | "captivate", windows: Window[]): FoundVariables | null {
  for (const window of windows as ToolWindow[]) {
    try {
      const read = tool === "storyline" ? readerOfStoryline(window) : readerOfCaptivate(window);
      if (read) return { read, window, document: window.document };
    } catch {
      // A broken object counts as none.
    }
  }
  return null;
}

function readerOfStoryline({ GetPlayer }: ToolWindow) {
  if (typeof GetPlayer !== "function") return null;
  const player = GetPlayer();
  return typeof player?.GetVar === "function" ? (name: string) => player.GetVar(name) : null;
}

function readerOfCaptivate({ cpAPIInterface: api }: ToolWindow) {
  return typeof api?.getVariableValue === "function" ? (name: string) => api.getVariableValue(name) : null;
}

/** The dispatchers of H5P in these windows. Frames of H5P share that of their parent. */
export function findDispatchers(windows: Window[]): Dispatcher[] {
  const found = windows.flatMap((window) => {
    try {
      const dispatcher = (window as ToolWindow).H5P?.externalDispatcher;
      return typeof dispatcher?.on === "function" ? [dispatcher] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
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
