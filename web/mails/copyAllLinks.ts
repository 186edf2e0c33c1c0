import type { TFunction } from "i18next";
import { copyText } from "#web/core/display/copyText.ts";
import { fetchAllRows } from "#web/core/table/csv.ts";
import { toast } from "#web/core/toast/toast.ts";
import { mails } from "#shared/mails/mails.ts";

/**
 * Copies the links of all emails that no mail server delivers, one line each: address, subject, link. Of several emails
 * with the same purpose to one person only the newest counts, because its link replaces those before.
 */
export async function copyAllLinks(t: TFunction) {
  const kept = await fetchAllRows(mails.list, { status: "kept" });
  const newest = new Map<string, string>();
  for (const { recipient, reason, subject, body } of kept) {
    const link = /https?:\/\/\S+/.exec(body)?.[0];
    const key = `${recipient} ${reason === "courses.assigned" ? subject : reason}`;
    if (link && !newest.has(key)) newest.set(key, [recipient, subject, link].join("\t"));
  }
  if (newest.size === 0) return toast.failed(t("mails.noLinks"));
  return copyText(
    [...newest.values()].join("\n"),
    t("mails.linksCopied", { count: newest.size }),
    t("mails.linksCopiedText"),
  );
}
