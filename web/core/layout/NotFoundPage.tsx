import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("web.notFound.title")}
      heading={<Heading>{t("web.notFound.title")}</Heading>}
      text={t("web.notFound.text")}
      action={
        <Button component={Link} to="/" variant="default">
          {t("web.notFound.home")}
        </Button>
      }
    />
  );
}
