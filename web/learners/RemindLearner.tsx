import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { LazyRemindDialog } from "#web/courses/remind/lazyRemindDialog.ts";
import { nameOf } from "#web/core/display/person.ts";
import type { Learner } from "#shared/learners/learners.ts";

/** The button that reminds one learner of all overdue courses. */
export function RemindLearner({ learner }: { learner: Learner }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconBell size={18} stroke={1.7} />} onClick={open}>
        {t("courses.remind.action")}
      </Button>
      <LazyRemindDialog
        opened={opened}
        onClose={close}
        title={t("courses.remind.titleOne", { name: nameOf(learner) })}
        request={{ selection: { ids: [learner.id] } }}
      />
    </>
  );
}
