import { IconCheck, IconLock } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import classes from "#web/catalogue/catalogue.module.css";
import { JoinButtons } from "#web/catalogue/JoinButtons.tsx";
import { useCourseFacts } from "#web/catalogue/useCourseFacts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatDuration } from "#web/core/format/format.ts";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import { catalogue, type CatalogueDetail } from "#shared/catalogue/catalogue.ts";

/** A course of the catalogue: outline, facts, what comes first, and the button that takes it. */
export function CatalogueCoursePage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: course } = useSuspenseQuery(queryFor(catalogue.get, { params: { id } }));
  const { languages, price } = useCourseFacts(course);
  const facts: [label: string, value: string | null][] = [
    [
      t("catalogue.facts.length"),
      course.minutes === null ? t("catalogue.facts.unknown") : formatDuration(course.minutes * 60),
    ],
    [t("catalogue.facts.languages"), languages],
    [
      t("catalogue.facts.places"),
      course.free === null ? t("catalogue.facts.any") : t("catalogue.facts.left", { count: course.free }),
    ],
    [t("catalogue.facts.price"), price],
  ];
  return (
    <>
      <PageHead
        title={course.title}
        line={course.summary || null}
        parent={{ to: "/catalogue", label: t("catalogue.title") }}
      />
      <TwoColumns
        aside={
          <>
            <div className={classes.wideCover}>
              <Cover code={course.code} />
            </div>
            <AsideCard title={t("catalogue.course")}>
              <dl className={classes.factList}>
                {facts.map(
                  ([label, value]) =>
                    value && (
                      <div key={label}>
                        <dt>{label}</dt>
                        <dd>{value}</dd>
                      </div>
                    ),
                )}
              </dl>
            </AsideCard>
          </>
        }
      >
        <div className={classes.join}>
          <p className={classes.standing} role="status">
            {standingOf(course)}
          </p>
          <JoinButtons course={course} />
        </div>
        {course.requires.length > 0 && (
          <Section title={t("catalogue.before")}>
            <ul className={classes.requires}>
              {course.requires.map(({ title, isDone }) => (
                <li key={title} data-done={isDone || undefined}>
                  {isDone ? <IconCheck size={18} aria-hidden /> : <IconLock size={18} stroke={1.7} aria-hidden />}
                  <span>{title}</span>
                  <span className={classes.dim}>{t(isDone ? "catalogue.isDone" : "catalogue.isMissing")}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <Section title={t("catalogue.outline")}>
          {course.outline.length === 0 ? (
            <p className={classes.dim}>{t("catalogue.noOutline")}</p>
          ) : (
            <ol className={classes.outline}>
              {course.outline.map(({ title, depth }, at) => (
                <li key={at} style={{ paddingInlineStart: 20 * Math.min(depth, 4) }}>
                  {title}
                </li>
              ))}
            </ol>
          )}
        </Section>
      </TwoColumns>
    </>
  );
  function standingOf(detail: CatalogueDetail) {
    const { isMine, canLeave, status, before, isWithdrawn, isOffered, isPaused, closed, answers, reason, can, way } =
      detail;
    const missing = course.requires.filter(({ isDone }) => !isDone).map(({ title }) => title);
    if (isMine)
      return [
        t(canLeave ? "catalogue.state.mineLeave" : "catalogue.state.mine"),
        ...(reason ? [t("catalogue.state.answer", { reason })] : []),
      ].join(" ");
    if (isPaused && (status === "open" || status === "waiting")) return t("catalogue.state.paused");
    if (status === "open") return t(`catalogue.state.${answers === "manager" ? "openManager" : "openAdmin"}`);
    if (status === "waiting" && missing.length > 0)
      return t("catalogue.state.waitingLocked", { courses: missing.join(", ") });
    if (status === "waiting" && way === "none") return t("catalogue.state.waitingHeld");
    if (status === "waiting")
      return before ? t("catalogue.state.waiting", { count: before }) : t("catalogue.state.waitingFirst");
    if (isWithdrawn) return t("catalogue.state.withdrawn");
    if (reason) return t(`catalogue.state.${detail.isTakenOff ? "takenOff" : "declined"}`, { reason });
    if (!isOffered) return t(closed === "offer" ? "catalogue.state.goneClosed" : "catalogue.state.gone");
    if (missing.length > 0) return t("catalogue.state.locked", { courses: missing.join(", ") });
    if (!can) return t("catalogue.state.none");
    if (can === "ask") return t(`catalogue.hint.${answers === "manager" ? "askManager" : "askAdmin"}`);
    if (can === "wait") return t(`catalogue.hint.${way === "self" ? "wait" : "waitAsk"}`);
    return t("catalogue.hint.enrol");
  }
}
