import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { useLogout } from "#web/core/session/useLogout.ts";

export function UnauthorizedPage() {
  const { t } = useTranslation();
  const user = useUser();
  const logout = useLogout();
  return (
    <EmptyState
      title={t("web.unauthorized.title")}
      heading={<Heading>{t("web.unauthorized.title")}</Heading>}
      text={user ? t("web.unauthorized.text") : t("web.unauthorized.signedOut")}
      action={
        <>
          {user && (
            <Button onClick={() => logout()} variant="subtle">
              {t("web.unauthorized.switchAccount")}
            </Button>
          )}
          <Button component={Link} to={user ? "/" : "/login"} variant="default">
            {user ? t("web.unauthorized.home") : t("bar.login")}
          </Button>
        </>
      }
    />
  );
}
