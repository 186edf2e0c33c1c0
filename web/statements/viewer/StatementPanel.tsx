import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconBan, IconCheck, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatExactTime } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import classes from "#web/statements/viewer/statements.module.css";
import { resultParts, sentenceOf, sourceText } from "#web/statements/viewer/statementText.ts";
import { VoidDialog } from "#web/statements/viewer/VoidDialog.tsx";
import type { StatementDetail, StatementEntry } from "#shared/statements/statementEntries.ts";
import { statements } from "#shared/statements/statements.ts";

type Props = {
  entry: StatementEntry;
  /** The URL of the list with these filters. */
  linkTo: (filters: Record<string, string>) => string;
  onClose: () => void;
};

/** One statement, in words and as stored. */
export function StatementPanel({ entry, linkTo, onClose }: Props) {
  const { t } = useTranslation();
  const [isVoiding, setVoiding] = useState(false);
  const { position } = entry;
  const { data, error, refetch } = useQuery(queryFor(statements.get, { params: { position } }));
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const canBeVoided = data && !data.isVoided && !data.isVoiding;
  return (
    <SidePanel
      title={sentenceOf(entry, t)}
      onClose={onClose}
      footer={
        data && (
          <>
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={17} stroke={1.7} /> : <IconCopy size={17} stroke={1.6} />}
              onClick={() => copy(data.text)}
            >
              {copied ? t("statements.viewer.copied") : t("statements.viewer.copy")}
            </Button>
            {canBeVoided && (
              <Button
                variant="default"
                leftSection={<IconBan size={17} stroke={1.6} />}
                onClick={() => setVoiding(true)}
              >
                {t("statements.viewer.void")}
              </Button>
            )}
          </>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && (
        <>
          {data.isVoided && (
            <p className={classes.pills}>
              <Pill tone="bad">{t("statements.viewer.isVoided")}</Pill>
            </p>
          )}
          <Facts statement={data} />
          <Ways statement={data} linkTo={linkTo} />
          <h3 className={classes.storedHead}>{t("statements.viewer.asStored")}</h3>
          <pre className={classes.stored} tabIndex={0} aria-label={t("statements.viewer.asStored")}>
            {data.text}
          </pre>
        </>
      )}
      {isVoiding && data && <VoidDialog statement={data} onClose={() => setVoiding(false)} />}
    </SidePanel>
  );
}

function Facts({ statement }: { statement: StatementDetail }) {
  const { t } = useTranslation();
  const { happenedAt, storedAt, registration, version, attachments, voiding, company } = statement;
  const result = resultParts(statement, t).join(", ");
  const facts: [string, ReactNode][] = [
    [t("statements.viewer.happened"), formatExactTime(happenedAt)],
    [t("statements.viewer.stored"), formatExactTime(storedAt)],
    ...(result ? [[t("statements.viewer.result"), result] as [string, ReactNode]] : []),
    [t("statements.viewer.from"), sourceText(statement, t)],
    [t("statements.viewer.company"), company],
    ...(registration ? [[t("statements.viewer.registration"), registration] as [string, ReactNode]] : []),
    ...(attachments > 0 ? [[t("statements.viewer.attachments"), attachments] as [string, ReactNode]] : []),
    [t("statements.viewer.version"), version],
    ...(voiding ? [[t("statements.viewer.voidedAt"), formatExactTime(voiding.at)] as [string, ReactNode]] : []),
    ...(voiding?.reason ? [[t("statements.viewer.voidReason"), voiding.reason] as [string, ReactNode]] : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to similar statements, to the learner and to the session. */
function Ways({ statement, linkTo }: { statement: StatementDetail; linkTo: Props["linkTo"] }) {
  const { t } = useTranslation();
  const { userId, actor, object, companyId, session, sessionStatements } = statement;
  const unknown: Record<string, string> | null = actor.agentKey ? { companyId, agentKey: actor.agentKey } : null;
  const person = userId ? { userId } : unknown;
  return (
    <ul className={classes.ways}>
      {session && sessionStatements !== null && (
        <li>
          <Link to={linkTo({ sessionId: session.id })}>
            {t("statements.viewer.sessionCount", { count: sessionStatements })}
          </Link>
        </li>
      )}
      {person && (
        <li>
          <Link to={linkTo(person)}>{t("statements.viewer.byPerson")}</Link>
        </li>
      )}
      {object.id && (
        <li>
          <Link to={linkTo({ companyId, activity: object.id })}>{t("statements.viewer.ofActivity")}</Link>
        </li>
      )}
      {userId && (
        <li>
          <Link to={`/learners/report/${userId}`}>{t("statements.viewer.openLearner")}</Link>
        </li>
      )}
      {session && (
        <li>
          <Link to={replayPath(session.id)}>{t("statements.viewer.openReplay")}</Link>
        </li>
      )}
    </ul>
  );
}
