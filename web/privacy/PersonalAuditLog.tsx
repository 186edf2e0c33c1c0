import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { actionText, detailsText } from "#web/audit/actionText.ts";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { Time } from "#web/core/display/Time.tsx";
import classes from "#web/privacy/Privacy.module.css";
import { audit, AUDITOR, DIRECTORY, NOBODY } from "#shared/audit/audit.ts";
import type { Reply } from "#shared/core/route.ts";

type Entry = Reply<typeof audit.mine>["items"][number];

const SHOWN_FIRST = { administration: 8, accounts: 5 };
type Kind = keyof typeof SHOWN_FIRST;

/** The entries that are shown first. */
export const firstEntries = (kind: Kind) => pagedQueryFor(audit.mine, { query: { size: SHOWN_FIRST[kind], kind } });

/** The person's part of the audit log: who viewed their records, or what happened on their account. */
export function PersonalAuditLog({ kind }: { kind: Kind }) {
  const { t } = useTranslation();
  const [size, setSize] = useState(SHOWN_FIRST[kind]);
  const { data } = useQuery(pagedQueryFor(audit.mine, { query: { size, kind } }));
  const by = ({ isSelf, actor, actorRole }: Entry) => {
    if (isSelf) return t("privacy.log.self");
    if (actorRole === NOBODY) return t("privacy.log.unknownPerson");
    if (actorRole === AUDITOR) return t("privacy.log.auditor");
    if (actorRole === DIRECTORY) return t("privacy.log.directory");
    if (actorRole === "learner")
      return actor ? t("privacy.log.manager", { name: actor }) : t("privacy.log.formerManager");
    return actor ? t("privacy.log.admin", { name: actor }) : t("privacy.log.formerAdmin");
  };
  const about = (entry: Entry) => (kind === "accounts" && entry.isSelf ? detailsText(entry.details) : by(entry));
  return (
    <Section title={t(kind === "accounts" ? "privacy.log.account" : "privacy.log.title")}>
      {data?.total === 0 && (
        <p className={classes.quiet}>{t(kind === "accounts" ? "privacy.log.noAccount" : "privacy.log.none")}</p>
      )}
      <ul className={classes.log}>
        {data?.items.map((entry) => (
          <li key={entry.id}>
            <span>
              {actionText(entry.action)}
              {entry.course && `, ${entry.course}`}
              {about(entry) && (
                <span className={classes.quiet} style={{ display: "block" }}>
                  {about(entry)}
                </span>
              )}
            </span>
            <Time at={entry.at} />
          </li>
        ))}
      </ul>
      {data && data.total > data.items.length && size < 200 && (
        <Button variant="subtle" onClick={() => setSize(Math.min(200, size + 40))}>
          {t("privacy.log.more")}
        </Button>
      )}
    </Section>
  );
}
