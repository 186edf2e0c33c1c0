const MAX_WINDOWS = 50;

/** The window of a package and those of its frames, outermost first; frames of other origins are left out. */
export function listWindows(root: Window | null): Window[] {
  const windows: Window[] = [];
  const waiting = root ? [root] : [];
  while (waiting.length > 0 && windows.length < MAX_WINDOWS) {
    const next = waiting.shift() as Window;
    try {
      // Throws for a window of another origin.
      void next.document;
      windows.push(next);
      for (let i = 0; i < next.frames.length && i < MAX_WINDOWS; i++) waiting.push(next.frames[i] as Window);
    } catch {
      // A window that cannot be read is skipped.
    }
  }
  return windows;
}
