import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ReasonList } from "#web/courses/WhyEnrolled.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import { formatDue } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import classes from "#web/outlook/outlook.module.css";
import { outlooks } from "#shared/outlook/outlook.ts";

const PAGE = 25;
const MAX_SHOWN = 200;

/** Each course of a person with every reason why they have it. */
export function ExplainedCourses({ id, isForAdmin }: { id: string; isForAdmin: boolean }) {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const [size, setSize] = useState(PAGE);
  const { data, error } = useQuery(pagedQueryFor(outlooks.courses, { params: { id }, query: { q, size } }));
  if (error) return <p role="alert">{messageOf(error)}</p>;
  if (!data) return <SkeletonRows rows={6} />;
  if (data.total === 0 && q === "")
    return <EmptyState title={t("outlook.courses.none")} text={t("outlook.courses.noneText")} />;
  return (
    <>
      {(data.total > PAGE || q !== "") && (
        <div className={classes.search}>
          <SearchBox label={t("outlook.courses.search")} value={q} onChange={setQ} />
        </div>
      )}
      <ul className={classes.list}>
        {data.items.map(({ courseId, course, dueDate, reasons, ...enrolment }) => (
          <li key={courseId} className={classes.row}>
            <div>
              <Anchor component={Link} to={`/courses/${courseId}`} className={classes.name}>
                {course}
              </Anchor>
              <p className={classes.facts}>
                <EnrolmentStatus enrolment={enrolment} />
                {dueDate !== null && ["assigned", "in_progress", "failed"].includes(enrolment.status) && (
                  <span>{t("outlook.courses.due", { day: formatDue(dueDate) })}</span>
                )}
              </p>
            </div>
            <ReasonList reasons={reasons} isForAdmin={isForAdmin} />
          </li>
        ))}
      </ul>
      {data.items.length < data.total && size < MAX_SHOWN && (
        <Button variant="subtle" size="sm" onClick={() => setSize(Math.min(MAX_SHOWN, size + 3 * PAGE))}>
          {t("outlook.courses.showMore")}
        </Button>
      )}
    </>
  );
}
