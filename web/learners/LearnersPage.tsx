import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTableImport, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { LearnerTable } from "#web/learners/LearnerTable.tsx";
import { companies } from "#shared/companies/companies.ts";
import { canManageLearners } from "#shared/learners/learners.ts";

const InviteDialog = lazyDialog(() =>
  import("#web/learners/InviteDialog.tsx").then(({ InviteDialog }) => InviteDialog),
);

export function LearnersPage() {
  const { t } = useTranslation();
  const [inviting, { open, close }] = useDisclosure();
  const { data } = useQuery(queryFor(companies.choices));
  const noCompany = data !== undefined && !data.items.some(({ status }) => status === "active");
  const canManage = canManageLearners(useUser());

  const inviteButton = (
    <Button variant="default" leftSection={<IconUserPlus size={18} stroke={1.7} />} onClick={open}>
      {t("learners.invite.title")}
    </Button>
  );
  const empty = noCompany
    ? {
        title: t("learners.none"),
        text: t("learners.noneNoCompany"),
        action: (
          <Button variant="default" component={Link} to="/companies">
            {t("learners.toCompanies")}
          </Button>
        ),
      }
    : { title: t("learners.none"), text: t("learners.noneText"), action: inviteButton };
  return (
    <>
      <PageHead
        title={t("learners.title")}
        line={t("learners.line")}
        actions={
          canManage && (
            <>
              <Button
                variant="default"
                component={Link}
                to="/learners/imports"
                leftSection={<IconTableImport size={18} stroke={1.7} />}
              >
                {t("learners.fromFile")}
              </Button>
              <Button leftSection={<IconUserPlus size={18} stroke={1.7} />} disabled={noCompany} onClick={open}>
                {t("learners.invite.title")}
              </Button>
            </>
          )
        }
      />
      <LearnerTable empty={empty} />
      <InviteDialog opened={inviting} onClose={close} />
    </>
  );
}
