import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";

/** The not-found page; `title` and `text` name what was not found. */
export function NotFoundPage({ title, text }: { title?: string; text?: string }) {
  const { t } = useTranslation();
  const name = title ?? t("web.notFound.title");
  return (
    <EmptyState
      title={name}
      heading={<Heading>{name}</Heading>}
      text={text ?? t("web.notFound.text")}
      action={
        <Button component={Link} to="/" variant="default">
          {t("web.notFound.home")}
        </Button>
      }
    />
  );
}
