import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import classes from "#web/requirements/requirements.module.css";
import { requirements, requirementState, type RequirementTerms } from "#shared/requirements/requirements.ts";

const WAIT_MS = 300;
type Props = { companyId: string; courseId: string; terms: RequirementTerms };

/** How many people these terms would leave in which state. Nothing is stored. */
export function RequirementPreview({ companyId, ...asked }: Props) {
  const { t } = useTranslation();
  const [debounced] = useDebouncedValue(JSON.stringify(asked), WAIT_MS);
  const body = JSON.parse(debounced) as typeof asked;
  const { data, error } = useQuery({
    ...pagedQueryFor(requirements.preview, { params: { id: companyId }, body }),
    retry: false,
  });
  return (
    <section className={classes.preview} aria-label={t("requirements.form.preview")} aria-live="polite">
      <strong>{t("requirements.form.preview")}</strong>
      {error && <p>{t("requirements.form.previewFailed")}</p>}
      {data && (
        <>
          <ul className={classes.counts}>
            {requirementState.options.map((state) => (
              <li key={state}>
                <strong>{formatNumber(data.counts[state])}</strong>
                {t(`requirements.states.${state}`)}
              </li>
            ))}
          </ul>
          {data.opens > 0 && <p className={classes.sentence}>{t("requirements.form.opens", { count: data.opens })}</p>}
          {data.closes > 0 && (
            <p className={classes.sentence}>{t("requirements.form.closes", { count: data.closes })}</p>
          )}
        </>
      )}
    </section>
  );
}
