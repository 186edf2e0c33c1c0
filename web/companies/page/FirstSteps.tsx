import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/page/FirstSteps.module.css";
import { Section } from "#web/core/layout/Section.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";

type Props = { company: CompanyRow; onAssign: () => void; onInvite: () => void };

/** First steps for a company without assigned courses. */
export function FirstSteps({ company, onAssign, onInvite }: Props) {
  const { t } = useTranslation();
  const step = (title: string, text: string, action: string, run: () => void, first: boolean) => (
    <li className={classes.step}>
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
      </div>
      <Button variant={first ? "filled" : "default"} disabled={company.status !== "active"} onClick={run}>
        {action}
      </Button>
    </li>
  );
  return (
    <Section title={t("companies.first.title")}>
      <ol className={classes.steps}>
        {step(
          t("companies.first.learners"),
          t("companies.first.learnersText"),
          t("companies.addLearners"),
          onInvite,
          company.learners === 0,
        )}
        {step(
          t("companies.first.course"),
          t("companies.first.courseText"),
          t("companies.assign"),
          onAssign,
          company.learners > 0,
        )}
      </ol>
    </Section>
  );
}
