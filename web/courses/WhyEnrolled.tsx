import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import classes from "#web/courses/WhyEnrolled.module.css";
import { courses } from "#shared/courses/courses.ts";
import type { EnrolmentReason, ReasonKind } from "#shared/courses/reasons.ts";

type Props = {
  courseId: string;
  /** Of whom an admin asks; without it, the learner reads about themselves. */
  userId?: string;
};

/** Why a learner has a course: what holds now, and for admins also what has ended. */
export function WhyEnrolled({ courseId, userId }: Props) {
  const { t } = useTranslation();
  const { data, error } = useQuery(
    queryFor(courses.reasons, { params: { id: courseId }, query: userId ? { userId } : {} }),
  );
  if (error) return <p role="alert">{messageOf(error)}</p>;
  if (!data) return <p className={classes.dim}>{t("courses.why.loading")}</p>;
  return <ReasonList reasons={data.items} isForAdmin={userId !== undefined} />;
}

/** The reasons of a course: for admins all of them and who decided, for the learner those that hold. */
export function ReasonList({ reasons, isForAdmin }: { reasons: EnrolmentReason[]; isForAdmin: boolean }) {
  const shown = isForAdmin ? reasons : reasons.filter(({ until }) => until === null);
  return (
    <ul className={classes.reasons}>
      {shown.map((reason) => (
        <li key={reason.id} data-ended={reason.until ? true : undefined}>
          {isForAdmin ? <OfAdmin reason={reason} /> : <OfLearner reason={reason} />}
        </li>
      ))}
    </ul>
  );
}

const DECIDED = ["person", "company", "rule", "path", "self"] as const;
const isDecided = (kind: ReasonKind): kind is (typeof DECIDED)[number] =>
  (DECIDED as readonly ReasonKind[]).includes(kind);

function OfLearner({ reason }: { reason: EnrolmentReason }) {
  const { t } = useTranslation();
  const { kind, rule, company, explanation, since, pathId } = reason;
  const day = formatDate(since);
  const text = kind === "rule" && explanation ? explanation : t(`courses.why.learner.${kind}`, { rule, company });
  return (
    <>
      <span>{pathId ? <Link to={`/paths/${pathId}`}>{text}</Link> : text}</span>
      <small>{t("courses.why.since", { day })}</small>
    </>
  );
}

function OfAdmin({ reason }: { reason: EnrolmentReason }) {
  const { t } = useTranslation();
  const { kind, rule, company, by, since, until, ended, endedBy, dueDate } = reason;
  return (
    <>
      <span>
        {by !== null && isDecided(kind)
          ? t(`courses.why.adminBy.${kind}`, { rule, company, by })
          : t(`courses.why.admin.${kind}`, { rule, company })}
      </span>
      <small>
        {until
          ? t("courses.why.from", { from: formatDate(since), until: formatDate(until) })
          : t("courses.why.since", { day: formatDate(since) })}
        {dueDate && `, ${t("courses.why.dueOn", { day: formatDate(dueDate) })}`}
        {ended && `. ${t(`courses.why.ended.${kind === "self" && ended === "left" ? "givenBack" : ended}`)}`}
        {ended && endedBy && ` ${t("courses.why.endedBy", { name: endedBy })}`}
      </small>
    </>
  );
}
