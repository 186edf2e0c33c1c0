import { Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconClockExclamation,
  IconCloudX,
  IconHourglass,
  IconMailX,
  IconPackage,
  IconRepeatOff,
  IconUserX,
  type Icon,
} from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/reports/AttentionList.module.css";
import { formatDay, formatNumber } from "#web/core/format/format.ts";
import type { Dashboard } from "#shared/reports.ts";

type Attention = Dashboard["attention"][number];

const looks: Record<Attention["kind"], { icon: Icon; bad?: boolean }> = {
  overdue: { icon: IconClockExclamation },
  neverCompletes: { icon: IconPackage },
  packageWarning: { icon: IconAlertTriangle },
  saveTrouble: { icon: IconCloudX, bad: true },
  stuck: { icon: IconRepeatOff },
  codeExpiring: { icon: IconHourglass },
  invitationsExpired: { icon: IconUserX },
  mailFailing: { icon: IconMailX, bad: true },
};
/** Where the one action leads, when it is more exact than the thing itself. */
const more: Partial<Record<Attention["kind"], string>> = { neverCompletes: "?tab=settings" };

/** A long list begins with these, so that the figures below stay in sight. */
const FIRST = 4;

/** The exceptions of today, each with its sentence and its one action. */
export function AttentionList({ items }: { items: Attention[] }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  if (items.length === 0) return <p className={classes.none}>{t("reports.dashboard.nothing")}</p>;
  const shown = all ? items : items.slice(0, FIRST);
  return (
    <>
      <ul className={classes.list}>
        {shown.map(({ kind, title, values, link }, at) => {
          const { icon: Symbol, bad } = looks[kind];
          const count = Number(values.count ?? 0);
          const words = {
            ...values,
            title,
            count,
            n: formatNumber(count),
            due: values.due ? formatDay(String(values.due)) : "",
          };
          const head = t(`reports.attention.${kind}.title`, words);
          return (
            <li key={at}>
              <span className={classes.tile} data-bad={bad || undefined}>
                <Symbol size={18} stroke={1.6} aria-hidden />
              </span>
              <div className={classes.words}>
                <p className={classes.title}>{head}</p>
                <p className={classes.text}>{t(`reports.attention.${kind}.text`, words)}</p>
              </div>
              <Button
                component={Link}
                to={link + (more[kind] ?? "")}
                variant="default"
                size="xs"
                className={classes.action}
              >
                {t(`reports.attention.${kind}.action`)}
                <span className="ly-hidden">: {head}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      {items.length > shown.length && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {t("reports.dashboard.showAll", { count: items.length })}
        </Button>
      )}
    </>
  );
}
