import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { formatDate, formatDateTime } from "#web/core/format/format.ts";
import { answerText } from "#web/events/answerText.ts";
import classes from "#web/events/organiser/RegistrationTable.module.css";
import { RegistrationWord } from "#web/events/RegistrationWord.tsx";
import { events, type Question, type Registration } from "#shared/events.ts";

type Props = { registration: Registration | null; questions: Question[]; opened: boolean; onClose: () => void };

/** One registration: its facts, the answers, and who did what with it. */
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
  const { data, error, refetch } = useQuery(queryFor(events.log, { params: { id: row.id } }));
  const facts: [string, React.ReactNode][] = [
    [t("events.admin.state"), <RegistrationWord key="state" registration={row} />],
    [
      t("events.form.email"),
      row.email && (row.emailVerified ? row.email : t("events.people.notProven", { email: row.email })),
    ],
    [t("events.form.company"), row.company],
    [t("events.reference"), <code key="reference">{row.reference}</code>],
    [t("events.people.attendance"), t(`events.people.${row.attendance}`)],
    [t("events.people.source"), t(`events.source.${row.source}`)],
    [t("events.people.registered"), formatDateTime(row.createdAt)],
    [t("events.people.position"), row.waitlistPosition],
    [
      t("events.people.offerUntil"),
      row.offerExpiresAt && row.state === "offered" && formatDateTime(row.offerExpiresAt),
    ],
    [t("events.people.attendedAt"), row.attendedAt && formatDateTime(row.attendedAt)],
    [t("events.people.marketing"), row.marketingOptIn && t("core.yes")],
    [
      t("events.people.purge"),
      row.purgedAt
        ? t("events.people.purged", { date: formatDate(row.purgedAt) })
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
      {answers.length > 0 && <h3>{t("events.people.answers")}</h3>}
      {answers.length > 0 && (
        <dl className={classes.facts}>
          {answers.map(({ id, label, kind }) => [
            <dt key={id}>{label}</dt>,
            <dd key={`${id} is`}>{answerText(row.answers[id], kind)}</dd>,
          ])}
        </dl>
      )}
      <h3>{t("events.people.log")}</h3>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      <ol className={classes.log}>
        {data?.items.map(({ at, action, by, detail }) => (
          <li key={at + action}>
            <strong>{t(`events.log.${action}` as never, { defaultValue: action }) as string}</strong>
            <time dateTime={at}>{formatDateTime(at)}</time>
            <span>
              {[by === "self" || by === "system" || by === "admin" ? t(`events.by.${by}`) : by, detail]
                .filter(Boolean)
                .join(": ")}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
