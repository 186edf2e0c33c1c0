import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Time } from "#web/core/display/Time.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import classes from "#web/variables/ownValues/OwnValues.module.css";
import { ownValuesQuery } from "#web/variables/ownValues/ownValuesQuery.ts";
import { valueText } from "#web/variables/valueText.ts";
import type { OwnValue } from "#shared/rawData/rawData.ts";

const OwnValueDialog = lazyDialog(() =>
  import("#web/variables/ownValues/OwnValueDialog.tsx").then(({ OwnValueDialog }) => OwnValueDialog),
);

/**
 * The learner's own values in a course: ratings, choices and texts. Renders nothing if there are none that learners may
 * see.
 */
export function OwnValues({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(ownValuesQuery(courseId));
  const [edited, setEdited] = useState<OwnValue | null>(null);
  if (!data || data.items.length === 0) return null;
  return (
    <Section title={t("rawData.own.title")}>
      <ul className={classes.values}>
        {data.items.map((ownValue) => (
          <li key={ownValue.variableId} className={classes.value}>
            <span className={classes.name}>
              {ownValue.label}
              <small>
                <Time at={ownValue.happenedAt} />
              </small>
            </span>
            <span className={classes.text}>{valueText(ownValue.value, ownValue, t)}</span>
            {ownValue.editable && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={t("rawData.own.correctOne", { label: ownValue.label })}
                onClick={() => setEdited(ownValue)}
              >
                {t("rawData.own.correct")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {edited && <OwnValueDialog courseId={courseId} ownValue={edited} onClose={() => setEdited(null)} />}
    </Section>
  );
}
