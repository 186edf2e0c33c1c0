import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auditPacks/auditPacks.module.css";
import { Verdict } from "#web/certificates/verify/Verdict.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { formatDate, formatDateTimeIn } from "#web/core/format/format.ts";
import { lastDayOf } from "#web/auditPacks/lastDay.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import type { Audit } from "#shared/auditPacks/auditPacks.ts";

type Props = { audit: Audit | null; back?: ReactNode; title?: string; children: ReactNode };

/** A page for an auditor: whose records these are, as of when, and for whom; or that the link does not work. */
export function AuditHead({ audit, back, title, children }: Props) {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <div className={classes.page} data-inside={user !== null || undefined}>
      {audit === null ? (
        <Verdict tone="unknown" title={t("auditPacks.auditor.dead")} text={t("auditPacks.auditor.deadText")} />
      ) : (
        <>
          {back}
          <Heading>{title ?? t("auditPacks.auditor.title", { number: audit.number })}</Heading>
          <p className={classes.about}>
            {t("auditPacks.auditor.line", {
              company: audit.company,
              from: formatDate(audit.from),
              to: formatDate(audit.to),
              time: formatDateTimeIn(audit.asOf, audit.zone),
              zone: audit.zone,
            })}
          </p>
          <p className={classes.dim}>
            {t("auditPacks.auditor.for", { label: audit.label, day: lastDayOf(audit.until, audit.zone) })}{" "}
            {t("auditPacks.auditor.logged")}
          </p>
          {children}
        </>
      )}
    </div>
  );
}
