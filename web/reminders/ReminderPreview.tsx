import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { recipientText, stepText } from "#web/reminders/stepTexts.ts";
import classes from "#web/reminders/reminders.module.css";
import { type ReminderPlan, reminders, type ReminderTerms } from "#shared/reminders/reminders.ts";

const PAGE = 25;
const DEBOUNCE_MS = 350;

type Props = { companyId: string; plan: ReminderPlan; terms: ReminderTerms; isDirty: boolean };

/** Which emails are sent on a day with these steps, to whom, and who is left out and why. */
export function ReminderPreview({ companyId, plan, terms, isDirty }: Props) {
  const { t } = useTranslation();
  const [day, setDay] = useState<string | null>(null);
  const [size, setSize] = useState(PAGE);
  const [asked] = useDebouncedValue(JSON.stringify(terms), DEBOUNCE_MS);
  const sent = { params: { id: companyId }, body: { terms: JSON.parse(asked) as ReminderTerms, day, size } };
  const { data, error, isPlaceholderData } = useQuery({
    ...pagedQueryFor(reminders.preview, sent),
    retry: false,
  });
  const show = (next: string | null) => {
    setDay(next);
    setSize(PAGE);
  };
  if (!data)
    return (
      <section className={classes.preview} aria-label={t("reminders.tabs.preview")}>
        {error ? <p className={classes.dim}>{t("reminders.preview.failed")}</p> : <SkeletonRows rows={8} />}
      </section>
    );
  return (
    <section
      className={classes.preview}
      aria-label={t("reminders.tabs.preview")}
      data-stale={isPlaceholderData || undefined}
    >
      <div className={classes.previewHead}>
        <h2>{t("reminders.preview.title", { day: formatDate(data.day) })}</h2>
        <ActionIcon
          variant="default"
          aria-label={t("reminders.preview.previous")}
          disabled={data.previousDay === null}
          onClick={() => show(data.previousDay)}
        >
          <IconChevronLeft className={classes.flip as string} size={18} stroke={1.7} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t("reminders.preview.next")}
          disabled={data.nextDay === null}
          onClick={() => show(data.nextDay)}
        >
          <IconChevronRight className={classes.flip as string} size={18} stroke={1.7} />
        </ActionIcon>
      </div>
      <p className={classes.sum} aria-live="polite">
        <strong>{t("reminders.preview.emails", { count: data.emails })}</strong>
        {data.sent > 0 && ` ${t("reminders.preview.steps", { count: data.sent })}`}.
        {data.dropped > 0 && ` ${t("reminders.preview.dropped", { count: data.dropped })}.`}
      </p>
      <p className={classes.dim}>
        {!plan.isOn && t("reminders.preview.off")} {isDirty ? t("reminders.changed") : t("reminders.preview.hint")}
      </p>
      {data.total === 0 ? (
        <p className={classes.none}>
          <strong>{t("reminders.preview.none")}</strong>
          <span>{t("reminders.preview.noneText")}</span>
        </p>
      ) : (
        <ul className={classes.emails}>
          {data.items.map((row) => (
            <li key={row.id} data-dropped={row.dropped !== null || undefined}>
              <Link to={`/learners/report/${row.userId}`}>{row.name}</Link>
              <span className={classes.to}>
                {row.dropped && <Pill>{t(`reminders.dropped.${row.dropped}`)}</Pill>}
                {!row.dropped && (row.recipient === row.name ? t("reminders.learner") : recipientText(row))}
              </span>
              <span className={classes.dim}>
                {row.course}, {stepText(row)}
                {row.dueDate !== null && `, ${t("reminders.dueOn", { day: formatDate(row.dueDate) })}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data.items.length < data.total && size < 200 && (
        <Button variant="subtle" size="sm" onClick={() => setSize(Math.min(200, size + 4 * PAGE))}>
          {t("reminders.preview.more")}
        </Button>
      )}
      {data.items.length < data.total && size >= 200 && (
        <p className={classes.dim}>
          {t("reminders.preview.rest", { shown: formatNumber(data.items.length), count: data.total })}
        </p>
      )}
    </section>
  );
}
