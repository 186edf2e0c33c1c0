import { Anchor, Button } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { AuditHead } from "#web/auditPacks/AuditHead.tsx";
import classes from "#web/auditPacks/auditPacks.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDate, formatDateTime, formatPercent } from "#web/core/format/format.ts";
import { PageSkeleton, SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import requirementClasses from "#web/requirements/requirements.module.css";
import { cellText } from "#web/requirements/cellText.ts";
import { type Audit, type AuditedCompletion, type AuditedPerson, auditPacks } from "#shared/auditPacks/auditPacks.ts";

/** `/audits/:token/samples/:no`: the people of a sample, and the records of each when they are opened. */
export function SampleView() {
  const { t } = useTranslation();
  const { token = "", no = "" } = useParams();
  const params = { token, no: Number(no) };
  const [{ data: audit, error }, { data: found, error: failure }] = useQueries({
    queries: [queryFor(auditPacks.open, { params: { token } }), queryFor(auditPacks.sample, { params })],
  });
  if (audit === null) return <AuditHead audit={null}>{null}</AuditHead>;
  if (error ?? failure) throw error ?? failure;
  if (!audit || !found) return <PageSkeleton />;
  const { size, population, drawnAt } = found.sample;
  return (
    <AuditHead
      audit={audit}
      title={t("auditPacks.auditor.sample", { no })}
      back={
        <Anchor component={Link} to={`/audits/${token}`}>
          {t("auditPacks.auditor.back")}
        </Anchor>
      }
    >
      <p className={classes.dim}>
        {t("auditPacks.auditor.sampleLine", { count: size, population, time: formatDateTime(drawnAt) })}
      </p>
      <ul className={classes.people}>
        {found.people.map((person) => (
          <PersonRow key={person.key} person={person} audit={audit} params={params} />
        ))}
      </ul>
    </AuditHead>
  );
}

type RowProps = { person: AuditedPerson; audit: Audit; params: { token: string; no: number } };

function PersonRow({ person: { key, name, personnelNumber, cells }, audit, params }: RowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const titleOf = (id: string) => audit.courses.find(({ courseId }) => courseId === id)?.course ?? "";
  return (
    <li>
      <div className={classes.linkHead}>
        <div>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {personnelNumber && <span className={classes.dim}>{personnelNumber}</span>}
        </div>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("auditPacks.auditor.open")}
          <span className="ly-hidden"> {name}</span>
        </Button>
      </div>
      <ul className={classes.cells}>
        {cells.map((cell) => (
          <li key={cell.courseId}>
            <span>{titleOf(cell.courseId)}</span>
            <span className={requirementClasses.cell} data-state={cell.state}>
              <span className={requirementClasses.arch} aria-hidden />
              <span className="ly-hidden">{t(`requirements.states.${cell.state}`)}, </span>
              {cellText(t, cell)}
            </span>
            {cell.completedOn && (
              <span className={classes.dim}>
                {t("auditPacks.auditor.completedOn", { day: formatDate(cell.completedOn) })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {isOpen && <Records params={{ ...params, key }} />}
    </li>
  );
}

function Records({ params }: { params: { token: string; no: number; key: string } }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(queryFor(auditPacks.person, { params }));
  if (error) throw error;
  if (!data) return <SkeletonRows rows={2} />;
  return (
    <div className={classes.records}>
      {data.completions.length === 0 && <p>{t("auditPacks.auditor.nothing")}</p>}
      {data.completions.map((completion, at) => (
        <Completion key={`${completion.completedOn} ${at}`} completion={completion} />
      ))}
    </div>
  );
}

function Completion({ completion }: { completion: AuditedCompletion }) {
  const { t } = useTranslation();
  const { course, version, completedOn, success, scorePercent, activeMinutes, rule, source, reference } = completion;
  const facts = [
    formatDate(completedOn),
    t(`auditPacks.success.${success}`),
    ...(version === null ? [] : [t("auditPacks.auditor.version", { version })]),
    ...(scorePercent === null ? [] : [t("auditPacks.auditor.score", { score: formatPercent(scorePercent) })]),
    ...(activeMinutes === null ? [] : [t("auditPacks.auditor.minutes", { count: activeMinutes })]),
    ...(source === "here" ? [] : [t(`auditPacks.sources.${source}`)]),
    ...(reference ? [reference] : []),
  ];
  return (
    <div>
      <strong>{course}</strong>{" "}
      {completion.takenBackOn && (
        <Pill tone="bad">{t("auditPacks.auditor.takenBack", { day: formatDate(completion.takenBackOn) })}</Pill>
      )}
      <p>{facts.join(" · ")}</p>
      {rule && <p className={classes.dim}>{t("auditPacks.auditor.rule", { rule })}</p>}
      {completion.certificate && (
        <p>
          <Anchor component={Link} to={`/verify/${completion.certificate}`}>
            {t("auditPacks.auditor.certificate", { number: completion.certificate })}
          </Anchor>
        </p>
      )}
    </div>
  );
}
