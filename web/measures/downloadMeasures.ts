import { urlOf } from "#web/core/http/http.ts";
import { download } from "#web/core/api/download.ts";
import { toast } from "#web/core/toast/toast.ts";
import { measures } from "#shared/measures/measures.ts";

/** Saves a version as PDF. */
export const downloadMeasures = (id: string, version: number) =>
  download(urlOf(measures.pdf, { params: { id }, query: { version } }), "what-is-measured.pdf").catch(
    (error: unknown) => toast.failed(error),
  );
