import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/PartList.module.css";

/** Longer tables of contents begin with this many parts. */
const FIRST = 24;

/** The parts of a course in order; `current` (from 0) is where the learner is. */
export function PartList({ titles, current = null }: { titles: string[]; current?: number | null }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = all ? titles : titles.slice(0, FIRST);
  return (
    <>
      <ol className={classes.parts}>
        {shown.map((title, at) => (
          <li key={at} data-current={at === current || undefined} aria-current={at === current ? "step" : undefined}>
            <span className={classes.number}>{at + 1}</span>
            <span>{title}</span>
            {at === current && <span className={classes.here}>{t("courses.youAreHere")}</span>}
          </li>
        ))}
      </ol>
      {titles.length > shown.length && (
        <Button variant="subtle" mt="xs" onClick={() => setAll(true)}>
          {t("courses.allParts", { count: titles.length })}
        </Button>
      )}
    </>
  );
}
