import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import type { Today } from "#shared/today/today.ts";

const LinkButton = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} size="md">
    {children}
  </Button>
);

/** In place of the next course: everything is done, nothing was assigned, or the reader is an admin. */
export function NothingNext({ today: { hasCourses, hasCatalogue }, isAdmin }: { today: Today; isAdmin: boolean }) {
  const { t } = useTranslation();
  if (isAdmin)
    return (
      <EmptyState
        title={t("today.notLearner")}
        text={t("today.notLearnerText")}
        action={<LinkButton to="/dashboard">{t("today.openDashboard")}</LinkButton>}
      />
    );
  const catalogue = hasCatalogue && <LinkButton to="/catalogue">{t("today.openCatalogue")}</LinkButton>;
  if (hasCourses)
    return (
      <EmptyState
        title={t("today.allDone")}
        text={t("today.allDoneText")}
        action={catalogue || <LinkButton to="/my-courses">{t("today.openCourses")}</LinkButton>}
      />
    );
  return (
    <EmptyState
      title={t("courses.mine.none")}
      text={t("courses.mine.noneText")}
      action={catalogue}
      hint={t("courses.mine.noneHint")}
    />
  );
}
