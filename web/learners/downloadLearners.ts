import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { learners } from "#shared/learners/learners.ts";

/** Saves all learners that match a filter as CSV, with the percentage that has arrived. */
export async function downloadLearners(query: Record<string, string>, onProgress?: (percent: number) => void) {
  await download(urlOf(learners.export, { query }), "learners.csv", onProgress).catch((error: unknown) =>
    toast.failed(error),
  );
}
