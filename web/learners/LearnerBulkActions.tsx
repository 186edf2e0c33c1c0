import { Button } from "@mantine/core";
import {
  IconArrowRight,
  IconBan,
  IconBell,
  IconBook,
  IconDownload,
  IconMailForward,
  IconSitemap,
  IconUserCheck,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { downloadLearners } from "#web/learners/downloadLearners.ts";
import type { LearnerActions } from "#web/learners/useLearnerActions.tsx";
import { saveCsv } from "#web/core/table/csv.ts";
import type { Selection } from "#web/core/table/table.ts";
import { learnerFileColumns } from "#shared/learners/learnerFile.ts";
import type { Learner } from "#shared/learners/learners.ts";

const icon = { size: 18, stroke: 1.7 };

/** Bulk actions for the selected learners; actions that apply to none of them are hidden. */
export function LearnerBulkActions({
  selection,
  clear,
  actions,
}: {
  selection: Selection<Learner>;
  clear: () => void;
  actions: LearnerActions;
}) {
  const { t } = useTranslation();
  const { rows, filter } = selection;
  const has = (status: Learner["status"]) =>
    filter ? !filter.status || filter.status === status : rows.some((row) => row.status === status);
  const save = () => (filter ? downloadLearners(filter) : saveCsv("learners", rows, learnerFileColumns));
  const button = { variant: "default", px: 12, fw: 500 };
  return (
    <>
      <Button {...button} leftSection={<IconBook {...icon} />} onClick={() => actions.open("assign", selection, clear)}>
        {t("learners.assignCourse")}
      </Button>
      {(filter ? filter.progress !== "completed" : rows.some(({ overdue }) => overdue > 0)) && (
        <Button
          {...button}
          leftSection={<IconBell {...icon} />}
          onClick={() => actions.open("remind", selection, clear)}
        >
          {t("courses.remind.action")}
        </Button>
      )}
      <Button
        {...button}
        leftSection={<IconSitemap {...icon} />}
        onClick={() => actions.open("manager", selection, clear)}
      >
        {t("managers.set.row")}
      </Button>
      <Button
        {...button}
        leftSection={<IconArrowRight {...icon} />}
        onClick={() => actions.open("move", selection, clear)}
      >
        {t("learners.moveRow")}
      </Button>
      {(has("active") || has("invited")) && (
        <Button
          {...button}
          leftSection={<IconBan {...icon} />}
          onClick={() => actions.open("suspend", selection, clear)}
        >
          {t("learners.suspendRow")}
        </Button>
      )}
      {has("suspended") && (
        <Button
          {...button}
          leftSection={<IconUserCheck {...icon} />}
          loading={actions.busy}
          onClick={() => void actions.reactivate(selection, clear)}
        >
          {t("learners.reactivate.verb")}
        </Button>
      )}
      {has("invited") && (
        <Button
          {...button}
          leftSection={<IconMailForward {...icon} />}
          loading={actions.busy}
          onClick={() => void actions.resend(selection, clear)}
        >
          {t("learners.resend.verb")}
        </Button>
      )}
      <Button {...button} leftSection={<IconDownload {...icon} />} onClick={() => void save()}>
        {t("learners.export")}
      </Button>
    </>
  );
}
