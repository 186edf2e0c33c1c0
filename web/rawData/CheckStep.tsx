import { Alert, Button, Table } from "@mantine/core";
import { IconCheck, IconPointFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Time } from "#web/core/display/Time.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatDate, formatDue, formatNumber } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import classes from "#web/rawData/DeleteVariables.module.css";
import { restorableUntil } from "#web/rawData/restorableUntil.ts";
import { ValuePills, ValueWords } from "#web/rawData/ValueCell.tsx";
import { KeyText } from "#web/variables/KeyText.tsx";
import type { DeletionPreview } from "#shared/rawData/rawData.ts";

type Props = {
  preview: DeletionPreview;
  course: string;
  /** The numbers have changed since they were shown. */
  isChanged: boolean;
  onBack: () => void;
  onKeep: () => void;
  onNext: () => void;
};

/** The effects of a deletion: what is deleted, what changes and what remains. */
export function CheckStep({ preview, course, isChanged, onBack, onKeep, onNext }: Props) {
  const { t } = useTranslation();
  const { values, variables, learners, sessions, previewSessions, firstAt, lastAt } = preview;
  if (values === 0)
    return (
      <EmptyState
        title={t("rawData.deletion.nothing")}
        text={t("rawData.deletion.nothingText", { course })}
        action={<Button onClick={onBack}>{t("rawData.deletion.back")}</Button>}
      />
    );
  const days = [firstAt, lastAt].flatMap((at) => (at ? [formatDue(at)] : []));
  return (
    <>
      {isChanged && (
        <Alert color="yellow" mb="md" role="alert">
          {t("rawData.deletion.changed")}
        </Alert>
      )}
      <StatTiles>
        <StatTile
          label={t("rawData.deletion.tileValues")}
          value={formatNumber(values)}
          note={t("rawData.deletion.variableCount", { count: variables })}
        />
        <StatTile label={t("rawData.deletion.tileLearners")} value={formatNumber(learners)} />
        <StatTile
          label={t("rawData.deletion.tileSessions")}
          value={formatNumber(sessions)}
          note={previewSessions > 0 && t("rawData.deletion.previewSessions", { count: previewSessions })}
        />
        <StatTile label={t("rawData.deletion.tileDays")} value={[...new Set(days)].join(", ")} />
      </StatTiles>
      <div className={classes.consequences}>
        <section>
          <h3>{t("rawData.deletion.changes")}</h3>
          <ul>
            <Line>{t("rawData.deletion.changesStatistics", { count: variables })}</Line>
            {learners > 0 && <Line>{t("rawData.deletion.changesLaunch", { count: learners })}</Line>}
            <Line>{t("rawData.deletion.changesLate")}</Line>
          </ul>
        </section>
        <section>
          <h3>{t("rawData.deletion.stays")}</h3>
          <ul>
            <Line stays>{t("rawData.deletion.staysCompletion")}</Line>
            <Line stays>{t("rawData.deletion.staysDefinitions")}</Line>
            <Line stays>{t("rawData.deletion.staysAudit")}</Line>
          </ul>
        </section>
      </div>
      <h3 className={classes.sampleTitle}>{t("rawData.deletion.sample")}</h3>
      <Sample rows={preview.sample} />
      <div className={classes.buttons}>
        <span className={classes.restorable}>
          {t("rawData.deletion.restorable", { day: formatDate(restorableUntil()) })}
        </span>
        <Button variant="default" onClick={onKeep}>
          {t("rawData.deletion.keep")}
        </Button>
        <Button onClick={onNext}>{t("rawData.deletion.toConfirm")}</Button>
      </div>
    </>
  );
}

function Line({ stays = false, children }: { stays?: boolean; children: string }) {
  const Icon = stays ? IconCheck : IconPointFilled;
  return (
    <li data-stays={stays || undefined}>
      <Icon size={stays ? 18 : 10} stroke={1.8} aria-hidden />
      {children}
    </li>
  );
}

function Sample({ rows }: { rows: DeletionPreview["sample"] }) {
  const { t } = useTranslation();
  return (
    <WideContent label={t("rawData.deletion.sample")}>
      <Table highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("rawData.learner")}</Table.Th>
            <Table.Th>{t("rawData.variable")}</Table.Th>
            <Table.Th>{t("rawData.value")}</Table.Th>
            <Table.Th>{t("rawData.capturedIn")}</Table.Th>
            <Table.Th>{t("rawData.recorded")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td fw={600}>{row.learner || t("rawData.noLearner")}</Table.Td>
              <Table.Td>
                <KeyText boxed>{row.key}</KeyText>
              </Table.Td>
              <Table.Td>
                <span className={classes.sampleValue}>
                  <span>
                    <ValueWords value={row} />
                  </span>
                  <ValuePills value={row} />
                </span>
              </Table.Td>
              <Table.Td>{row.part || row.course}</Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <Time at={row.recordedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideContent>
  );
}
