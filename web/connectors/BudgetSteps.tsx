import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/connectors/connectors.module.css";

const steps = [
  { key: "chosen", from: 0 },
  { key: "cheaper", from: 0.8 },
  { key: "quote", from: 0.95 },
  { key: "limit", from: 1 },
] as const;

type Props = { used: number; hasLimit: boolean; children: ReactNode };

/** What happens as a budget is used up, with the step that the academy's budget has reached, if it has a limit. */
export function BudgetSteps({ used, hasLimit, children }: Props) {
  const { t } = useTranslation();
  const current = hasLimit ? steps.findLast(({ from }) => used >= from)?.key : undefined;
  return (
    <section className={classes.low} aria-label={t("connectors.low.title")}>
      <strong>{t("connectors.low.title")}</strong>
      <ol className={classes.steps}>
        {steps.map(({ key }) => (
          <li key={key} data-current={key === current || undefined} aria-current={key === current ? "step" : undefined}>
            {key === current && <IconCheck size={16} stroke={2} aria-hidden />}
            {t(`connectors.low.${key}`)}
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
