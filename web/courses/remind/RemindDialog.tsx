import { Alert, Anchor, Skeleton, Text } from "@mantine/core";
import { IconMailOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/courses/remind/RemindDialog.module.css";
import { RemindList } from "#web/courses/remind/RemindList.tsx";
import { courses } from "#shared/courses/courses.ts";
import { REMINDER_PAUSE_HOURS, type ReminderPreview, type ReminderTarget } from "#shared/courses/reminders.ts";
import { isAcademyAdmin, isAdmin } from "#shared/core/users.ts";
import { learners, type LearnerSelection } from "#shared/learners/learners.ts";
import { team, type TeamReminder } from "#shared/team/team.ts";

/** Whom to remind: by course, company and people, selected learners of the list, or people of a manager. */
export type RemindRequest = { target: ReminderTarget } | { selection: LearnerSelection } | { team: TeamReminder };

type Props = {
  opened?: boolean;
  onClose: () => void;
  onDone?: () => void;
  title: string;
  request: RemindRequest;
};

/** Shows who would get a reminder by email, and who is left out and why, before anything is sent. */
export function RemindDialog({ opened = true, onClose, onDone, title, request }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const ofTarget = useApiMutation(courses.remind, { quiet: true });
  const ofSelection = useApiMutation(learners.remind, { quiet: true });
  const ofTeam = useApiMutation(team.remind, { quiet: true });
  const hasOutbox = isAdmin(useUser());
  const sending = [ofTarget, ofTeam].find(({ status }) => status !== "idle") ?? ofSelection;
  const { data: preview, error } = useQuery({
    ...previewOf(request),
    enabled: opened,
    // Another admin may have sent reminders in the meantime.
    staleTime: 0,
  });
  const count = preview?.total ?? 0;

  const send = async () => {
    const order = () => {
      if ("target" in request) return ofTarget.mutateAsync({ body: request.target });
      if ("team" in request) return ofTeam.mutateAsync({ body: request.team });
      return ofSelection.mutateAsync({ body: request.selection });
    };
    const sent = await order().catch(() => null);
    if (!sent) return;
    const { changed } = sent;
    const openOutbox = { label: t("courses.remind.openOutbox"), run: () => void navigate("/admin/mails") };
    toast.done(t("courses.remind.done", { count: changed, n: formatNumber(changed) }), {
      ...(changed === 0 && { text: t("courses.remind.doneNoneText") }),
      ...(changed > 0 && hasOutbox && { text: t("courses.remind.doneText"), action: openOutbox }),
    });
    onClose();
    onDone?.();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      size={600}
      busy={sending.isPending}
      disabled={count === 0 || !preview?.hasMailServer}
      failure={sending.error ?? error}
      onSubmit={send}
      submitLabel={
        count > 0 ? t("courses.remind.send", { count, n: formatNumber(count) }) : t("courses.remind.sendNone")
      }
    >
      {preview ? <Preview preview={preview} /> : !error && <Skeleton height={132} radius="md" />}
    </FormDialog>
  );
}

function previewOf(request: RemindRequest) {
  if ("target" in request) return queryFor(courses.remindPreview, { body: request.target });
  if ("team" in request) return queryFor(team.remindPreview, { body: request.team });
  return queryFor(learners.remindPreview, { body: request.selection });
}

function Preview({ preview: { total, items, leftOut, hasMailServer } }: { preview: ReminderPreview }) {
  const { t } = useTranslation();
  const canSetUp = isAcademyAdmin(useUser());
  const isNobodyOverdue = total + leftOut.total === 0;
  return (
    <>
      {!hasMailServer && (
        <Alert color="yellow" icon={<IconMailOff aria-hidden />} title={t("courses.remind.noServer")}>
          {t("courses.remind.noServerText")}{" "}
          {canSetUp && (
            <Anchor component={Link} to="/admin/settings?tab=mail">
              {t("courses.remind.setUpServer")}
            </Anchor>
          )}
        </Alert>
      )}
      {total > 0 && (
        <section>
          <Text mb="xs">
            {t(hasMailServer ? "courses.remind.text" : "courses.remind.heldText", {
              count: total,
              n: formatNumber(total),
            })}
          </Text>
          <RemindList rows={items} total={total} label={t("courses.remind.reminded")} />
        </section>
      )}
      {total === 0 && <Text>{t(isNobodyOverdue ? "courses.remind.nobodyOverdue" : "courses.remind.nobody")}</Text>}
      {leftOut.total > 0 && (
        <section>
          <h3 className={classes.heading}>
            {t("courses.remind.leftOut", { count: leftOut.total, n: formatNumber(leftOut.total) })}
          </h3>
          {leftOut.items.some(({ reason }) => reason === "reminded") && (
            <Text size="sm" c="dimmed" mb="xs">
              {t("courses.remind.pause", { hours: REMINDER_PAUSE_HOURS })}
            </Text>
          )}
          <RemindList rows={leftOut.items} total={leftOut.total} label={t("courses.remind.notReminded")} />
        </section>
      )}
    </>
  );
}
