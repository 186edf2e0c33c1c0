import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSitemap } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { ofRows } from "#web/learners/selectionBody.ts";
import type { Learner } from "#shared/learners/learners.ts";

const ManagerDialog = lazyDialog(() =>
  import("#web/learners/manager/ManagerDialog.tsx").then(({ ManagerDialog }) => ManagerDialog),
);

/** The button that sets who leads one learner. */
export function LearnerManager({ learner }: { learner: Learner }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconSitemap size={18} stroke={1.7} />} onClick={open}>
        {t("managers.set.row")}
      </Button>
      <ManagerDialog
        key={learner.managerId}
        opened={opened}
        onClose={close}
        selection={ofRows([learner])}
        onDone={() => {}}
      />
    </>
  );
}
