import { afterEach } from "vitest";
import { createPackageReader } from "#web/shell/tools/packageReader.ts";

// Package windows for tests

export type Frame = Record<string, unknown>;
/** A window of a package. */
export const frame = (content: Frame, frames: unknown[] = []) =>
  Object.assign(content, { document: {}, frames }) as never as Window;

const readers: { stop: () => void }[] = [];
afterEach(() => readers.splice(0).forEach((reader) => reader.stop()));

/** Reads the chosen variables of a package; `look` reads now. */
export function open(paths: string[], root: Window, known: Parameters<typeof createPackageReader>[1] = {}) {
  const recorded: [string, string][] = [];
  const refused: [string, string][] = [];
  const reader = createPackageReader(paths, known, {
    window: () => root,
    record: (path, value) => recorded.push([path, value]),
    refuse: (path, reason) => refused.push([path, reason]),
    isStopped: () => false,
  });
  readers.push(reader);
  return { look: reader.look, recorded, refused };
}
export const storyline = (values: Record<string, unknown>) =>
  frame({ GetPlayer: () => ({ GetVar: (name: string) => values[name] }) });
