import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/catalogue/catalogue.module.css";
import { useCourseFacts } from "#web/catalogue/useCourseFacts.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import type { CatalogueCourse } from "#shared/catalogue/catalogue.ts";

/** A course of the catalogue: what it is, and what the learner can do. */
export function CatalogueCard({ course }: { course: CatalogueCourse }) {
  const { t } = useTranslation();
  const { length, languages, price } = useCourseFacts(course);
  const missing = course.requires.filter(({ isDone }) => !isDone);
  return (
    <li className={classes.card}>
      <span className={classes.cover}>
        <Cover code={course.code} />
      </span>
      <div className={classes.body}>
        <h2 className={classes.title}>
          <Link to={`/catalogue/${course.id}`}>{course.title}</Link>
        </h2>
        <p className={classes.facts}>{[length, languages, price].filter(Boolean).join(" · ")}</p>
        {course.summary && <p className={classes.summary}>{course.summary}</p>}
        <p className={classes.state} data-open={course.can === "enrol" || undefined}>
          {stateText()}
        </p>
      </div>
    </li>
  );
  function stateText() {
    if (course.isMine) return t("catalogue.yours");
    if (course.status === "open") return t("catalogue.asked");
    if (course.status === "waiting") return t("catalogue.inLine");
    if (missing.length > 0) return t("catalogue.after", { courses: missing.map(({ title }) => title).join(", ") });
    if (course.can === "wait") return t("catalogue.full");
    if (!course.can) return t("catalogue.closedWay");
    const free = course.free === null ? null : t("catalogue.free", { count: course.free });
    return [t(`catalogue.do.${course.can}`), free].filter(Boolean).join(", ");
  }
}
