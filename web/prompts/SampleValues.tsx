import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { LearnerSelect } from "#web/prompts/LearnerSelect.tsx";
import classes from "#web/prompts/prompts.module.css";
import { type PromptPurpose, prompts } from "#shared/prompts/prompts.ts";

type Props = {
  text: string;
  purpose: PromptPurpose;
  userId: string | null;
  onUser: (userId: string | null) => void;
};

/** The values of the placeholders for a sample learner. */
export function SampleValues({ text, purpose, userId, onUser }: Props) {
  const { t } = useTranslation();
  const [body] = useDebouncedValue(text, 300);
  const { data } = useQuery(pagedQueryFor(prompts.resolve, { body: { body, purpose, userId } }));
  const keys = data?.keys ?? [];
  return (
    <section className={classes.part}>
      <div className={classes.head}>
        <h2>{t("prompts.variables")}</h2>
        <LearnerSelect value={userId} onChange={onUser} />
      </div>
      {keys.length === 0 ? (
        <p className={classes.dim}>{t("prompts.noVariables")}</p>
      ) : (
        <table className={classes.values}>
          <tbody>
            {keys.map(({ key, value, source }) => (
              <tr key={key}>
                <th scope="row">
                  <code className={classes.chip} data-unknown={source === "unknown" || undefined}>
                    {key}
                  </code>
                </th>
                <td>{value ?? <span className={classes.some}>{emptyText(source)}</span>}</td>
                <td className={classes.source}>{t(`prompts.sources.${source}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );

  function emptyText(source: "builtIn" | "variable" | "runtime" | "unknown") {
    if (source === "runtime") return t("prompts.whenItRuns");
    if (source === "unknown") return t("prompts.unknown");
    return userId ? t("prompts.notAvailable") : t("prompts.chooseLearner");
  }
}
