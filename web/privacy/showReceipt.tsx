import { confirm } from "#web/core/dialog/confirm.ts";
import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import { downloadFile } from "#web/privacy/downloadExport.ts";
import type { Receipt } from "#shared/privacy/privacy.ts";

/** Shows the receipt in a dialog outside the pages, so that it stays open after the sign-out. */
export function showReceipt(receipt: Receipt, title: string) {
  confirm({
    title,
    text: (
      <>
        <p style={{ margin: 0 }}>{i18n.t("privacy.erase.receiptText")}</p>
        <p
          style={{
            margin: "8px 0 0",
            fontFamily: "var(--mantine-font-family-monospace)",
            fontSize: 13.5,
            overflowWrap: "anywhere",
          }}
        >
          {receipt.id}
        </p>
        {receipt.retainedRecords.length > 0 && (
          <p style={{ margin: "12px 0 0" }}>{i18n.t("privacy.erase.retainedRecords")}</p>
        )}
        {receipt.retainedRecords.map(({ id, course, until }) => (
          <p key={id} style={{ margin: "4px 0 0", fontSize: 13.5, overflowWrap: "anywhere" }}>
            {i18n.t("privacy.erase.retainedRecord", { course, until: formatDate(until), id })}
          </p>
        ))}
        {receipt.backupsUntil && (
          <p style={{ margin: "12px 0 0" }}>
            {i18n.t("privacy.erase.backups", { date: formatDate(receipt.backupsUntil) })}
          </p>
        )}
      </>
    ),
    confirmLabel: i18n.t("privacy.erase.saveReceipt"),
    cancelLabel: i18n.t("core.close"),
    onConfirm: () =>
      downloadFile(
        new Blob([JSON.stringify(receipt, null, 2)], { type: "application/json" }),
        `receipt-${receipt.id.slice(0, 8)}.json`,
      ),
  });
}
