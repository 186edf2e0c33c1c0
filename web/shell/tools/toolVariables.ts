import { followCaptivate, readerOfCaptivate } from "#web/shell/tools/captivate.ts";
import { attempt, type Changed } from "#web/shell/tools/observation.ts";
import { followStoryline, readerOfStoryline } from "#web/shell/tools/storyline.ts";

// The variables of authoring tools. A package may lack, break or fake the objects of its tool: every access can throw
// or return anything.

type Tool = "storyline" | "captivate";
export type FoundVariables = { read: (name: string) => unknown; window: Window; document: Document };

/**
 * A function that reads the variables of a tool in the first window that has it, with that window and its document;
 * null without one.
 */
export function findVariables(tool: Tool, windows: Window[]): FoundVariables | null {
  for (const window of windows) {
    try {
      const read = tool === "storyline" ? readerOfStoryline(window) : readerOfCaptivate(window);
      if (read) return { read, window, document: window.document };
    } catch {
      // A broken object counts as none.
    }
  }
  return null;
}

/**
 * Calls `changed` after each change of one of these variables that the tool in this window reports. May be called
 * repeatedly.
 */
export function followChanges(tool: Tool, window: Window, names: string[], changed: Changed) {
  let isTelling = false;
  // A getter may itself set the variable.
  const tell: Changed = (name) => {
    if (isTelling) return;
    isTelling = true;
    attempt(() => changed(name));
    isTelling = false;
  };
  attempt(() => (tool === "storyline" ? followStoryline : followCaptivate)(window, names, tell));
}
