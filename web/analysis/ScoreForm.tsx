import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/analysis/review.module.css";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { MAX_SCORE, type Scoring } from "#shared/analysis/reviews.ts";

const LEVELS = Array.from({ length: MAX_SCORE }, (_, at) => String(at + 1));

/** An admin scores each criterion before they see what a model says. */
export function ScoreForm({ id, scoring: { criteria, isFeedbackHidden } }: { id: string; scoring: Scoring }) {
  const { t } = useTranslation();
  const [values, setValues] = useState<Record<string, string>>({});
  const score = useApiMutation(analysis.score);
  const skip = useApiMutation(analysis.skipScoring);
  const isComplete = criteria.every((one) => values[one.id]);
  const save = () => {
    const scores = criteria.map((one) => ({ id: one.id, value: Number(values[one.id]) }));
    void score.mutateAsync({ params: { id }, body: { scores } }).then(
      () => toast.done(t("analysis.scoring.saved")),
      () => {},
    );
  };
  return (
    <section className={classes.scoring} aria-label={t("analysis.scoring.title")}>
      <h3>{t("analysis.scoring.title")}</h3>
      <p className={classes.dim}>{t(isFeedbackHidden ? "analysis.scoring.hidden" : "analysis.scoring.open")}</p>
      {criteria.map(({ id: criterion, name, description }) => (
        <div key={criterion} className={classes.criterion}>
          <strong id={`criterion-${criterion}`}>{name}</strong>
          {description && <span className={classes.dim}>{description}</span>}
          <SegmentedControl
            fullWidth
            aria-labelledby={`criterion-${criterion}`}
            data={LEVELS.map((value) => ({ value, label: value }))}
            value={values[criterion] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [criterion]: value }))}
          />
        </div>
      ))}
      <p className={classes.ends}>
        <span>{t("analysis.scoring.low")}</span>
        <span>{t("analysis.scoring.high")}</span>
      </p>
      <p className={classes.dim}>{t("analysis.scoring.skipHint")}</p>
      <Button mt="xs" size="xs" disabled={!isComplete} loading={score.isPending} onClick={save}>
        {t("analysis.scoring.submit")}
      </Button>
      {isFeedbackHidden && (
        <Button
          mt="xs"
          size="xs"
          variant="subtle"
          loading={skip.isPending}
          onClick={() => void skip.mutateAsync({ params: { id } }).catch(() => {})}
        >
          {t("analysis.scoring.skip")}
        </Button>
      )}
    </section>
  );
}
