import { useState } from "react";
import { download } from "#web/core/api/download.ts";
import { toast } from "#web/core/toast/toast.ts";
import { registrationsExportPath } from "#shared/events/eventRegistrations.ts";

/** Downloads the filtered registrations as CSV or Excel file. */
export function useExport(id: string, filter: Record<string, string>) {
  const [busy, setBusy] = useState(false);
  const save = async (kind: "csv" | "xlsx") => {
    setBusy(true);
    const query = new URLSearchParams(filter).toString();
    await download(`${registrationsExportPath(id, kind)}${query && `?${query}`}`, `registrations.${kind}`).catch(
      (error: unknown) => toast.failed(error),
    );
    setBusy(false);
  };
  return { busy, save };
}
