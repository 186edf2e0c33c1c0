import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readPackage } from "#server/packages/doctor/reading.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { RiskCode, SignalKind } from "#shared/packages/packageCheck.ts";
import type { Part } from "#shared/player/player.ts";

// Unpacked packages for tests of the package check

/** A unit that opens a file. */
export const unit = (href: string, more: Partial<Part> = {}): Part => ({
  sco: href,
  kind: "scorm12",
  title: href,
  depth: 0,
  href,
  isSco: true,
  given: {},
  ...more,
});

export async function packageFolder(files: Record<string, string | Buffer>) {
  const folder = await mkdtemp(join(tmpdir(), "package-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Reads a package of these files, which starts with the first one. */
export async function readFiles(
  files: Record<string, string | Buffer>,
  kind: PackageKind = "scorm12",
  more: Partial<Part> = {},
) {
  const reading = await readPackage(await packageFolder(files), {
    kind,
    parts: [unit(Object.keys(files)[0] as string, { kind, ...more })],
  });
  return {
    reading,
    /** What comes, and why: `yes calls`. */
    of: (kindOf: SignalKind) => {
      const found = reading.signals.find((one) => one.kind === kindOf);
      return `${found?.comes} ${found?.because}`;
    },
    /** The count and the names of a risk. */
    risk: (code: RiskCode) => {
      const found = reading.risks.find((one) => one.code === code);
      return found ? [found.count, ...found.names] : null;
    },
  };
}

export const script = (code: string) =>
  `<!doctype html><html lang="en"><title>T</title><script>${code}</script></html>`;
