import type { Services } from "#server/core/services.ts";
import { applyRows } from "#server/imports/applying/applyRows.ts";
import { undoRows } from "#server/imports/applying/undoRows.ts";
import { checkFile } from "#server/imports/checking/checkFile.ts";
import { type ImportRecord, inBatch, LostImport, setImport, takeImport } from "#server/imports/lease.ts";
import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";
import { readFile } from "#server/imports/reading/storeFile.ts";

/** Times that a step is started before it counts as failed. */
const MAX_TRIES = 5;

const steps = {
  reading: readFile,
  checking: checkFile,
  applying: applyRows,
  undoing: undoRows,
} as const satisfies Partial<Record<ImportRecord["state"], unknown>>;

/** Works on imports, one after the other, until none is left. */
export async function runImports(services: Services) {
  for (let taken = await takeImport(services.db); taken; taken = await takeImport(services.db)) {
    const step = steps[taken.state as keyof typeof steps];
    try {
      await step(services, taken);
    } catch (error) {
      if (error instanceof LostImport) continue;
      if (!(error instanceof UnreadableFile))
        services.log.warn({ err: error, importId: taken.id }, "an import did not finish its step");
      const isFinal = error instanceof UnreadableFile || taken.tries >= MAX_TRIES;
      if (!isFinal) continue;
      await giveUp(services, taken, error instanceof UnreadableFile ? error : null).catch((lost: unknown) => {
        if (!(lost instanceof LostImport)) throw lost;
      });
    }
  }
}

/** An import that stops in reading or checking has failed. One that stops in applying or undoing can be undone. */
const giveUp = ({ db }: Services, taken: ImportRecord, failure: UnreadableFile | null) =>
  inBatch(db, taken, async (tx) => {
    const isHalf = taken.state === "applying" || taken.state === "undoing";
    await setImport(tx, taken.id, {
      ...(isHalf
        ? { state: "applied", code: "stopped", appliedAt: taken.appliedAt ?? new Date().toISOString() }
        : { state: "failed", code: failure?.code ?? "failed", codeRow: failure?.row ?? null }),
      leasedUntil: null,
    });
  });
