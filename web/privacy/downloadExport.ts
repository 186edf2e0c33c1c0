import { urlOf, networkError, toApiError, withForeignSentence } from "#web/core/http/http.ts";
import { i18n } from "#web/core/i18n.ts";
import { toast } from "#web/core/toast/toast.ts";
import { usableToken } from "#web/core/session/token.ts";
import { privacy } from "#shared/privacy/privacy.ts";

/** Downloads the data export of a person as a file. An interrupted stream is an error, not a shorter file. */
export async function downloadExport(userId?: string) {
  const token = await usableToken();
  const reply = await fetch(urlOf(privacy.export, { query: { userId } }), {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  }).catch(() => {
    throw networkError();
  });
  if (!reply.ok)
    throw withForeignSentence(
      toApiError(reply.status, await reply.json().catch(() => null)),
      i18n.t("privacy.data.exportFailed"),
    );
  const blob = await reply.blob().catch(() => {
    throw networkError();
  });
  const name = /filename="([^"]+)"/.exec(reply.headers.get("content-disposition") ?? "")?.[1] ?? "my-data.json";
  downloadFile(blob, name);
  toast.done(i18n.t("privacy.data.saved", { name }));
}

export function downloadFile(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
