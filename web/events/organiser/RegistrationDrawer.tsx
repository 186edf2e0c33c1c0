import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { formatDate, formatDateTime } from "#web/core/format/format.ts";
import { answerText } from "#web/events/answerText.ts";
import classes from "#web/events/organiser/RegistrationTable.module.css";
import { RegistrationStatus } from "#web/events/RegistrationStatus.tsx";
import type { Question } from "#shared/events/eventQuestions.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

type Props = { registration: Registration | null; questions: Question[]; opened: boolean; onClose: () => void };

/** Details, answers and history of a registration. */
export function RegistrationDrawer({ registration, questions, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      padding={26}
      title={registration && (registration.name || <code>{registration.reference}</code>)}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      {registration && <Details registration={registration} questions={questions} />}
    </Drawer>
  );
}

function Details({ registration: row, questions }: { registration: Registration; questions: Question[] }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(queryFor(eventRegistrations.log, { params: { id: row.id } }));
  const facts: [string, React.ReactNode][] = [
    [t("events.admin.state"), <RegistrationStatus key="state" registration={row} />],
    [
      t("events.form.email"),
      row.email && (row.emailVerified ? row.email : t("events.registrations.notVerified", { email: row.email })),
    ],
    [t("events.form.company"), row.company],
    [t("events.reference"), <code key="reference">{row.reference}</code>],
    [t("events.registrations.attendance"), t(`events.registrations.${row.attendance}`)],
    [t("events.registrations.source"), t(`events.source.${row.source}`)],
    [t("events.registrations.registered"), formatDateTime(row.createdAt)],
    [t("events.registrations.position"), row.waitlistPosition],
    [
      t("events.registrations.offerUntil"),
      row.offerExpiresAt && row.state === "offered" && formatDateTime(row.offerExpiresAt),
    ],
    [t("events.registrations.attendedAt"), row.attendedAt && formatDateTime(row.attendedAt)],
    [t("events.registrations.marketing"), row.marketingOptIn && t("core.yes")],
    [
      t("events.registrations.purge"),
      row.purgedAt
        ? t("events.registrations.purged", { date: formatDate(row.purgedAt) })
        : row.purgeAt && formatDate(row.purgeAt),
    ],
  ];
  const answers = questions.filter(({ id }) => row.answers[id] !== undefined);
  return (
    <div className={classes.drawer}>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label} is`}>{value}</dd>])}
      </dl>
      {answers.length > 0 && <h3>{t("events.registrations.answers")}</h3>}
      {answers.length > 0 && (
        <dl className={classes.facts}>
          {answers.map(({ id, label, kind }) => [
            <dt key={id}>{label}</dt>,
            <dd key={`${id} is`}>{answerText(row.answers[id], kind)}</dd>,
          ])}
        </dl>
      )}
      <h3>{t("events.registrations.log")}</h3>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      <ol className={classes.log}>
        {data?.items.map(({ at, action, by, detail }) => (
          <li key={at + action}>
            <strong>{t(`events.log.${action}`)}</strong>
            <time dateTime={at}>{formatDateTime(at)}</time>
            <span>
              {[by === "self" || by === "system" || by === "admin" ? t(`events.actor.${by}`) : by, detail]
                .filter(Boolean)
                .join(": ")}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
