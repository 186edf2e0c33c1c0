import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/PartList.module.css";

/** Number of parts that are shown until all are requested. */
const INITIALLY_SHOWN = 24;

type Props = {
  titles: string[];
  /** Index of the learner's current part. */
  current?: number | null;
  /** Number of parts from the first that the learner has completed. */
  done?: number;
};

/** The parts of a course in order. */
export function PartList({ titles, current = null, done = 0 }: Props) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = all ? titles : titles.slice(0, INITIALLY_SHOWN);
  return (
    <>
      <ol className={classes.parts}>
        {shown.map((title, index) => (
          <li
            key={index}
            data-current={index === current || undefined}
            aria-current={index === current ? "step" : undefined}
          >
            <span className={classes.number}>{index + 1}</span>
            <span>{title}</span>
            {index === current && <span className={classes.marker}>{t("courses.youAreHere")}</span>}
            {index < done && index !== current && (
              <span className={classes.done}>
                <IconCheck size={16} stroke={2} aria-hidden />
                {t("courses.partDone")}
              </span>
            )}
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
