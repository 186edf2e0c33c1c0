import { Tooltip, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { actionText, detailsText } from "#web/audit/actionText.ts";
import classes from "#web/audit/Audit.module.css";
import { actorOf } from "#web/audit/auditSentence.ts";
import { AuditSentence } from "#web/audit/AuditSentence.tsx";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { formatAgo, formatExactTime } from "#web/core/format/format.ts";
import type { AuditEntry } from "#shared/audit/audit.ts";

/** When something happened: exact on hover and focus; a click shows the whole entry. */
export function EntryTime({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const exact = formatExactTime(entry.at);
  const facts: [string, string][] = [
    [t("audit.when"), exact],
    [t("audit.action"), actionText(entry.action)],
    [t("audit.who"), actorOf(entry)],
    [t("audit.person"), entry.person ?? ""],
    [t("audit.company"), entry.company ?? ""],
    [t("audit.course"), entry.course ?? ""],
    [t("audit.details"), detailsText(entry.details)],
  ];
  return (
    <>
      <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }}>
        <UnstyledButton className={classes.time} onClick={open} aria-label={t("audit.showEntry", { time: exact })}>
          <time dateTime={entry.at}>{formatAgo(entry.at)}</time>
        </UnstyledButton>
      </Tooltip>
      <Dialog opened={opened} onClose={close} title={t("audit.entry")} size={520}>
        <p style={{ margin: "0 0 16px" }}>
          <AuditSentence entry={entry} />
        </p>
        <dl className={classes.facts}>
          {facts
            .filter(([, value]) => value !== "")
            .map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label} value`}>{value}</dd>])}
        </dl>
      </Dialog>
    </>
  );
}
