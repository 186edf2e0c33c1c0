import { Alert, Anchor } from "@mantine/core";
import { IconMailOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { useUser } from "#web/core/session/session.tsx";
import { canReadMailServer, mailServers } from "#shared/mails/mailServer.ts";

/** Warns that an invitation will not be emailed. Renders nothing if a mail server is set up. */
export function NoMailNote() {
  const { t } = useTranslation();
  const { data } = useQuery({ ...queryFor(mailServers.get), enabled: canReadMailServer(useUser()) });
  if (!data || data.operator || data.server) return null;
  return (
    <Alert color="yellow" icon={<IconMailOff aria-hidden />} title={t("mails.errors.noServer")}>
      {t("mails.inviteWithoutServer")}{" "}
      <Anchor component={Link} to="/admin/settings?tab=mail">
        {t("courses.remind.setUpServer")}
      </Anchor>
    </Alert>
  );
}
