import { IconCertificate, IconChevronRight, IconCircleCheck, IconClock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DueNote } from "#web/courses/learner/CourseNote.tsx";
import { daysUntil } from "#web/courses/daysUntil.ts";
import classes from "#web/today/today.module.css";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatDate, formatDue, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { DueItem, EarnedItem, ExpiringItem, Today } from "#shared/today/today.ts";

/** From so many days before its end the mark of a completion is another. */
const ENDING_DAYS = 60;

/** What is due; `isRest`: the next step is due as well. */
export function DueSection({ due: { items, total }, isRest }: { due: Today["due"]; isRest: boolean }) {
  const { t } = useTranslation();
  return (
    <Section title={t("today.due")}>
      {total === 0 && <p className={classes.none}>{t(isRest ? "today.nothingElseDue" : "today.nothingDue")}</p>}
      <ul className={classes.rows}>
        {items.map((item) => (
          <DueRow key={item.kind + item.id + item.title} item={item} />
        ))}
      </ul>
      {total > items.length && (
        <Link to="/my-courses?show=todo" className={classes.more}>
          {t("today.moreDue", { count: total - items.length })}
        </Link>
      )}
    </Section>
  );
}

function DueRow({ item }: { item: DueItem }) {
  const { t } = useTranslation();
  const { kind, id, title, code, path, dueDate, overdue, minutesLeft, isStarted } = item;
  const time = minutesLeft && formatDuration(minutesLeft * 60);
  return (
    <li className={classes.row}>
      <div className={classes.cover}>
        <Cover code={code} />
      </div>
      <div className={classes.words}>
        <Link to={kind === "course" ? `/courses/${id}` : `/paths/${id}`} className={classes.title}>
          {title}
        </Link>
        {path !== null && <span className={classes.line}>{t("paths.mine.partOf", { path })}</span>}
        <span className={classes.facts}>
          <DueNote dueDate={dueDate} overdue={overdue} />
          {time && (
            <span className={classes.time}>
              <IconClock size={15} stroke={1.6} aria-hidden />
              {isStarted ? t("today.left", { time }) : time}
            </span>
          )}
        </span>
      </div>
      <IconChevronRight size={20} stroke={1.6} className={classes.chevron} aria-hidden />
    </li>
  );
}

export function ExpiringSection({ expiring: { items }, userId }: { expiring: Today["expiring"]; userId: string }) {
  const { t } = useTranslation();
  return (
    <Section title={t("today.expiring")}>
      <ul className={classes.rows}>
        {items.map((item) => (
          <ExpiringRow key={item.courseId} item={item} />
        ))}
      </ul>
      <Link to={`/learners/outlook/${userId}`} className={classes.more}>
        {t("today.ahead")}
      </Link>
    </Section>
  );
}

function ExpiringRow({ item: { courseId, title, validUntil, opensOn } }: { item: ExpiringItem }) {
  const { t } = useTranslation();
  return (
    <li className={classes.row}>
      <span className={classes.tile}>
        <span className={classes.arch} data-ending={daysUntil(validUntil) <= ENDING_DAYS || undefined} />
      </span>
      <div className={classes.words}>
        <Link to={`/courses/${courseId}`} className={classes.title}>
          {title}
        </Link>
        <span className={classes.line}>{t("requirements.mine.validUntil", { day: formatDate(validUntil) })}</span>
        {opensOn && <span className={classes.line}>{t("today.opensOn", { day: formatDue(opensOn) })}</span>}
      </div>
      <IconChevronRight size={20} stroke={1.6} className={classes.chevron} aria-hidden />
    </li>
  );
}

export function EarnedSection({ earned: { items }, userId }: { earned: Today["earned"]; userId: string }) {
  const { t } = useTranslation();
  return (
    <Section title={t("today.earned")}>
      <ul className={classes.rows}>
        {items.map((item) => (
          <EarnedRow key={item.title + item.completedOn} item={item} />
        ))}
      </ul>
      <Link to={`/learners/report/${userId}`} className={classes.more}>
        {t("today.allEarned")}
      </Link>
    </Section>
  );
}

function EarnedRow({ item }: { item: EarnedItem }) {
  const { t } = useTranslation();
  const { kind, id, title, completedOn, success, scorePercent, validUntil, certificate } = item;
  const Icon = certificate === null ? IconCircleCheck : IconCertificate;
  const verb = success === "passed" ? "passed" : "completed";
  const day = formatDue(completedOn);
  const result =
    scorePercent === null
      ? t(`today.${verb}`, { day })
      : t(`today.${verb}With`, { day, score: formatPercent(scorePercent) });
  const page = id && (kind === "course" ? `/courses/${id}` : `/paths/${id}`);
  const target = certificate === null ? page : `/verify/${certificate}`;
  return (
    <li className={classes.row}>
      <span className={classes.tile}>
        <Icon size={20} stroke={1.6} aria-hidden />
      </span>
      <div className={classes.words}>
        {target ? (
          <Link to={target} className={classes.title}>
            {title}
          </Link>
        ) : (
          <span className={classes.title}>{title}</span>
        )}
        <span className={classes.line}>{result}</span>
        {validUntil && (
          <span className={classes.line}>{t("requirements.mine.validUntil", { day: formatDate(validUntil) })}</span>
        )}
      </div>
      {target && <IconChevronRight size={20} stroke={1.6} className={classes.chevron} aria-hidden />}
    </li>
  );
}
