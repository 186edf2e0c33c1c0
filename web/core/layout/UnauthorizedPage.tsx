import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import type { Refusal } from "#web/core/layout/Unauthorized.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { useLogout } from "#web/core/session/useLogout.ts";

/** Why a page was refused. Without a stored reason, as after opening the URL directly, the text is general. */
export function UnauthorizedPage() {
  const { t } = useTranslation();
  const state = useLocation().state as { reason?: Refusal } | null;
  const reason = state?.reason ?? "other";
  const user = useUser();
  const logout = useLogout();
  return (
    <EmptyState
      title={t(`web.unauthorized.title.${reason}`)}
      heading={<Heading>{t(`web.unauthorized.title.${reason}`)}</Heading>}
      text={user ? t(`web.unauthorized.text.${reason}`) : t("web.unauthorized.signedOut")}
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
