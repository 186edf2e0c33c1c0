import { Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconClockExclamation,
  IconCoins,
  IconCloudX,
  IconDatabaseExport,
  IconHourglass,
  IconMailX,
  IconMessageQuestion,
  IconPackage,
  IconPlugConnectedX,
  IconRepeatOff,
  IconShieldExclamation,
  IconTrendingDown,
  IconUserX,
  IconWebhookOff,
  type Icon,
} from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/reports/AttentionList.module.css";
import { formatAgoInText, formatDate, formatNumber } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import { RemindButton } from "#web/reports/dashboard/RemindButton.tsx";
import { RetryButton } from "#web/reports/dashboard/RetryButton.tsx";
import type { ConnectorErrorCode } from "#shared/connectors/connectors.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";

type BudgetKind = "academy" | "company" | "connector";
type Issue = Dashboard["attention"][number];

const icons: Record<Issue["kind"], { icon: Icon; bad?: boolean }> = {
  overdue: { icon: IconClockExclamation },
  connectorFailing: { icon: IconPlugConnectedX, bad: true },
  webhookFailing: { icon: IconWebhookOff, bad: true },
  budgetSpent: { icon: IconCoins },
  unanswered: { icon: IconMessageQuestion },
  neverCompletes: { icon: IconPackage },
  dropOff: { icon: IconTrendingDown },
  packageWarning: { icon: IconAlertTriangle },
  saveTrouble: { icon: IconCloudX },
  stuck: { icon: IconRepeatOff },
  codeExpiring: { icon: IconHourglass },
  invitationsExpired: { icon: IconUserX },
  mailFailing: { icon: IconMailX, bad: true },
  claimsUnverified: { icon: IconShieldExclamation, bad: true },
  backupMissing: { icon: IconDatabaseExport },
};
/** Appended to the link of an issue, to open the relevant tab. */
const linkSuffixes: Partial<Record<Issue["kind"], string>> = { neverCompletes: "?tab=settings" };

const INITIALLY_SHOWN = 4;

/** The days of several due dates, with their years: `3 Nov 2025 to 12 Dec 2026`. */
const formatDays = (from: string, to: string) =>
  from === to ? formatDate(from) : i18n.t("web.time.span", { from: formatDate(from), to: formatDate(to) });

const isBad = ({ kind }: Issue) => icons[kind].bad === true;

/** Open issues, the serious ones first, each with one action. */
export function AttentionList({ items }: { items: Issue[] }) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  if (items.length === 0) return <p className={classes.none}>{t("reports.dashboard.nothing")}</p>;
  const ordered = items.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
  // A button for a single further row would take as much room as the row.
  const shown = showsAll || items.length <= INITIALLY_SHOWN + 1 ? ordered : ordered.slice(0, INITIALLY_SHOWN);
  return (
    <>
      <ul className={classes.list}>
        {shown.map(({ kind, title, values, link }, index) => {
          const { icon: Symbol, bad } = icons[kind];
          const count = Number(values.count ?? 0);
          const textValues = {
            ...values,
            title,
            budget:
              kind === "budgetSpent"
                ? t(`reports.attention.budgets.${String(values.kind) as BudgetKind}`, { title })
                : "",
            cause:
              kind === "connectorFailing" ? t(`connectors.causes.${String(values.code) as ConnectorErrorCode}`) : "",
            outcome:
              kind === "webhookFailing"
                ? t(`reports.attention.webhookFailing.outcomes.${values.status === "off" ? "off" : "active"}`)
                : "",
            count,
            n: formatNumber(count),
            due: values.dueFrom ? formatDays(String(values.dueFrom), String(values.dueTo)) : "",
          };
          const heading = t(`reports.attention.${kind}.title`, textValues);
          return (
            <li key={index}>
              <span className={classes.tile} data-bad={bad || undefined}>
                <Symbol size={18} stroke={1.6} aria-hidden />
              </span>
              <div className={classes.words}>
                <p className={classes.title}>{heading}</p>
                <p className={classes.text}>
                  {t(`reports.attention.${kind}.text`, textValues)}
                  {values.remindedAt &&
                    ` ${t("reports.attention.overdue.reminded", { when: formatAgoInText(String(values.remindedAt)) })}`}
                </p>
              </div>
              <div className={classes.actions}>
                {values.canRemind === 1 && <RemindButton values={values} title={title} heading={heading} />}
                {kind === "mailFailing" && <RetryButton />}
                <Button component={Link} to={link + (linkSuffixes[kind] ?? "")} variant="default" size="xs">
                  {t(`reports.attention.${kind}.action`)}
                  <span className="ly-hidden">: {heading}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {items.length > shown.length && (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
          {t("reports.dashboard.showAll", { count: items.length })}
        </Button>
      )}
    </>
  );
}
