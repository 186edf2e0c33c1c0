import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import classes from "#web/lessons/author/unclear/unclear.module.css";
import { UnclearItem } from "#web/lessons/author/unclear/UnclearItem.tsx";
import { courses } from "#shared/courses/courses.ts";
import type { UnclearBlock } from "#shared/lessons/unclear/unclearMarks.ts";
import { unclearMarks } from "#shared/lessons/unclear/unclearMarks.ts";

/** `/courses/:id/unclear`: what learners have marked as unclear in a course, by lesson. */
export function UnclearPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isDealtShown, setDealtShown] = useState(false);
  const { data: course } = useSuspenseQuery(queryFor(courses.get, { params: { id } }));
  const { data } = useSuspenseQuery(queryFor(unclearMarks.list, { params: { id } }));
  const dealt = data.items.filter(({ open }) => open === 0);
  const shown = isDealtShown ? data.items : data.items.filter(({ open }) => open > 0);
  const placeOf = ({ lessonId, blockId }: UnclearBlock) =>
    `/courses/${id}/edit?lesson=${encodeURIComponent(lessonId)}&block=${encodeURIComponent(blockId)}`;
  return (
    <>
      <Link to={`/courses/${id}`} className={classes.course}>
        {course.title}
      </Link>
      <Heading>{t("unclearMarks.title")}</Heading>
      <p className={classes.lead}>{t("unclearMarks.lead")}</p>
      {data.items.length === 0 && <p>{t("unclearMarks.none")}</p>}
      {data.items.length > 0 && shown.length === 0 && <p>{t("unclearMarks.noneOpen")}</p>}
      {[...Map.groupBy(shown, ({ lessonId }) => lessonId)].map(([lessonId, items]) => (
        <section key={lessonId} aria-label={items[0]?.lesson}>
          <h2 className={classes.lesson}>{items[0]?.lesson}</h2>
          <ul className={classes.list}>
            {items.map((item) => (
              <UnclearItem
                key={item.blockId}
                courseId={id}
                item={item}
                title={
                  <Link to={placeOf(item)} className={classes.about}>
                    {item.about || t("unclearMarks.block")}
                  </Link>
                }
                onDiscuss={() => void navigate(placeOf(item))}
              />
            ))}
          </ul>
        </section>
      ))}
      {dealt.length > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isDealtShown}
          onClick={() => setDealtShown(!isDealtShown)}
        >
          {t(isDealtShown ? "unclearMarks.hideDealt" : "unclearMarks.showDealt", { count: dealt.length })}
        </button>
      )}
    </>
  );
}
