import { Anchor, Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { saveCsv } from "#web/core/table/csv.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import classes from "#web/learners/PeopleTable.module.css";
import { useSkipReason } from "#web/learners/useSkipReason.ts";
import type { Invite, Outcome } from "#web/learners/useInvite.ts";

const tones = { invited: "ok", resent: "ok", skipped: "bad" } as const;

/** The result for each person, skipped people first. */
export function InviteOutcomes({
  invite,
  outcomes,
  onClose,
}: {
  invite: Invite;
  outcomes: Outcome[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const count = (kind: Outcome["outcome"]) => outcomes.filter(({ outcome }) => outcome === kind).length;
  const reasonOf = useSkipReason();
  const sorted = outcomes.toSorted((a, b) => Number(b.outcome === "skipped") - Number(a.outcome === "skipped"));
  const save = () =>
    saveCsv("invitations", outcomes, [
      [t("learners.email"), ({ email }) => email],
      [t("learners.invite.rowStatus"), ({ outcome }) => t(`learners.outcome.${outcome}`)],
      [t("learners.invite.reason"), ({ reason }) => reasonOf(reason)],
    ]);
  const summary = (["invited", "resent", "skipped"] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => t(`learners.invite.${kind}`, { count: count(kind) }));

  return (
    <>
      <Text role="status" fw={600} mb={4}>
        {summary.join(", ")}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {invite.isDeliveryDisabled ? (
          <>
            {t("learners.inOutbox")}{" "}
            <Anchor inherit underline="always" component={Link} to="/admin/mails">
              {t("learners.openOutbox")}
            </Anchor>
          </>
        ) : (
          t("learners.invite.mailsQueued")
        )}
      </Text>
      {invite.failure && (
        <Text size="sm" c="var(--ly-bad)" role="alert" mb="sm">
          {messageOf(invite.failure)} {t("learners.invite.restKept", { count: invite.rows.length })}
        </Text>
      )}
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t("learners.invite.results")}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t("learners.email")}</th>
              <th scope="col">{t("learners.invite.rowStatus")}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ email, outcome, reason }) => (
              <tr key={email}>
                <td>{email}</td>
                <td>
                  <StatusDot tone={tones[outcome]}>
                    {reason
                      ? t("learners.invite.skippedFor", { reason: reasonOf(reason) })
                      : t(`learners.outcome.${outcome}`)}
                  </StatusDot>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group mt="lg" gap="xs" justify="flex-end">
        <Button variant="subtle" mr="auto" onClick={save}>
          {t("learners.invite.save")}
        </Button>
        <Button variant="default" onClick={invite.again}>
          {invite.rows.length > 0
            ? t("learners.invite.remaining", { count: invite.rows.length })
            : t("learners.invite.again")}
        </Button>
        <Button onClick={onClose}>{t("learners.invite.done")}</Button>
      </Group>
    </>
  );
}
