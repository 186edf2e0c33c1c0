import type { Library } from "#shared/sequencing/engine.ts";

/** Loads the engine of `scorm-again`, whose type files do not match its exports. */
export async function loadLibrary(): Promise<Library> {
  const library = (await import("scorm-again/scorm2004")) as unknown as { Scorm2004API: Library };
  return library.Scorm2004API;
}
