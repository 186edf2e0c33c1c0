import { Alert, Button, Checkbox, Menu, Progress } from "@mantine/core";
import { IconDots, IconTrash } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { queriesOf, queryClient, queryFor } from "#web/core/api/api.ts";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { ImportColumns } from "#web/imports/ImportColumns.tsx";
import { ImportRows } from "#web/imports/ImportRows.tsx";
import classes from "#web/imports/imports.module.css";
import { Leavers, type LeaverChoice } from "#web/imports/Leavers.tsx";
import { Stayed } from "#web/imports/Stayed.tsx";
import { NoMailNote } from "#web/mails/NoMailNote.tsx";
import { useImportActions } from "#web/imports/useImportActions.tsx";
import { type FileFailure, type ImportDetail, imports, isWorking, UNDO_HOURS } from "#shared/imports/imports.ts";

const POLL_MS = 1000;
const signs: Record<string, "semicolon" | "comma" | "tab" | "bar" | "caret" | "tilde" | "colon"> = {
  ";": "semicolon",
  ",": "comma",
  "\t": "tab",
  "|": "bar",
  "^": "caret",
  "~": "tilde",
  ":": "colon",
};

/** One import: its columns, what is wrong, what becomes of each row, and what to do about it. */
export function ImportPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: file } = useSuspenseQuery({
    ...queryFor(imports.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data.state) ? POLL_MS : false),
  });
  useEffect(() => {
    void queryClient.invalidateQueries(queriesOf(imports.rows));
  }, [file.state]);
  const [choice, setChoice] = useState<LeaverChoice>({ answer: null, keepIds: [] });
  const [invites, setInvites] = useState(true);
  const actions = useImportActions(file);
  const isReady = file.state === "ready";
  const suspends = choice.answer === "suspend" ? file.leavers - choice.keepIds.length : 0;
  const rows = file.counts.create + file.counts.update;
  const hasInvitations = file.about === "people" && file.counts.create > 0;
  return (
    <>
      <PageHead
        title={file.fileName}
        line={useLine(file)}
        parent={{ to: "/learners/imports", label: t("imports.all") }}
        actions={
          <>
            {!isWorking(file.state) && <MoreMenu onRemove={actions.remove} />}
            {isReady && (
              <Button
                disabled={rows + suspends === 0 || file.unmapped.length > 0}
                loading={actions.isBusy}
                onClick={() => actions.apply({ invites, ...choice }, suspends)}
              >
                {rows > 0 || suspends === 0 ? t("imports.apply", { count: rows }) : t("imports.applyLeavers")}
              </Button>
            )}
            {file.canUndo && (
              <Button variant="default" loading={actions.isBusy} onClick={actions.undo}>
                {t("imports.undo")}
              </Button>
            )}
          </>
        }
      />
      <StateNotice file={file} />
      {file.state === "failed" ? null : (
        <>
          <Counts file={file} />
          {isReady && (
            <ImportColumns key={[file.mapping, file.existing, file.dates, file.keepsUnknown].join()} file={file} />
          )}
          {(isReady || file.state === "applied" || file.state === "undone") && (
            <ImportRows file={file} onDownload={actions.download} />
          )}
          {file.state === "undone" && file.stayed > 0 && <Stayed file={file} />}
          {isReady && file.leavers > 0 && <Leavers file={file} choice={choice} onChange={setChoice} />}
          {isReady && file.about === "completions" && <p className={classes.hint}>{t("imports.completionsHint")}</p>}
          {isReady && hasInvitations && (
            <Checkbox
              className={classes.invite}
              checked={invites}
              onChange={(event) => setInvites(event.currentTarget.checked)}
              label={t("imports.invite", { count: file.counts.create })}
              description={t("imports.inviteHint")}
            />
          )}
          {isReady && invites && hasInvitations && <NoMailNote />}
        </>
      )}
    </>
  );
}

/** How the file was read. */
function useLine({ state, counts, total, format, delimiter, encoding, company }: ImportDetail) {
  const { t } = useTranslation();
  if (!format || state === "failed") return company;
  const sign = delimiter && signs[delimiter];
  const separated = sign
    ? t(`imports.delimiters.${sign}`)
    : delimiter && t("imports.otherDelimiter", { sign: delimiter });
  const read = format === "xlsx" ? "XLSX" : [separated, encoding].filter(Boolean).join(", ");
  return t("imports.readAs", { count: countAll(counts) || total, format: read, company });
}

function StateNotice({ file }: { file: ImportDetail }) {
  const { t } = useTranslation();
  const times = useTimes();
  const { state, code, codeRow, done, total, appliedAt } = file;
  if (state === "failed")
    return (
      <EmptyState
        title={t("imports.failedTitle")}
        text={t(`imports.failures.${(code ?? "failed") as FileFailure}`, { row: codeRow ?? "" })}
        action={
          <Button component={Link} to={`/learners/imports?company=${file.companyId}`}>
            {t("imports.anotherFile")}
          </Button>
        }
      />
    );
  if (isWorking(state))
    return (
      <div className={classes.progress} role="status">
        <p>{t(`imports.is.${state}`)}</p>
        <Progress value={total > 0 ? (done / total) * 100 : 0} animated aria-label={t(`imports.is.${state}`)} />
        <p className={classes.hint}>
          {total > 0 && t("imports.of", { done: formatNumber(done), total: formatNumber(total) })}
        </p>
      </div>
    );
  if (state === "undone") return <Alert className={classes.notice}>{t("imports.undoneLine")}</Alert>;
  if (state !== "applied" || !appliedAt) return null;
  const until = new Date(Date.parse(appliedAt) + UNDO_HOURS * 3_600_000).toISOString();
  return (
    <Alert className={classes.notice} color={code ? "red" : "green"}>
      {code ? t("imports.stopped") : t("imports.done", { count: file.counts.applied })}
      {file.canUndo && `. ${t("imports.undoUntil", { time: times.dateTime(until) })}.`}
    </Alert>
  );
}

const countAll = ({ create, update, same, rejected, leftOut }: ImportDetail["counts"]) =>
  create + update + same + rejected + leftOut;

function Counts({ file: { about, counts, total } }: { file: ImportDetail }) {
  const { t } = useTranslation();
  return (
    <StatTiles>
      <StatTile
        label={t("imports.counts.rows")}
        value={formatNumber(countAll(counts) || total)}
        note={t("imports.counts.rowsLine")}
      />
      {about === "people"
        ? (["create", "update", "same"] as const).map((key) => (
            <StatTile
              key={key}
              label={t(`imports.counts.${key}`)}
              value={formatNumber(counts[key])}
              note={t(`imports.counts.${key}Line`)}
            />
          ))
        : (["create", "same"] as const).map((key) => (
            <StatTile
              key={key}
              label={t(`imports.counts.${key}`)}
              value={formatNumber(counts[key])}
              note={t(`imports.completionCounts.${key}Line`)}
            />
          ))}
      <StatTile
        label={t("imports.counts.rejected")}
        value={formatNumber(counts.rejected)}
        note={t("imports.counts.rejectedLine")}
        bad={counts.rejected > 0}
      />
    </StatTiles>
  );
}

function MoreMenu({ onRemove }: { onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px={9} aria-label={t("core.actions")} title={t("core.actions")}>
          <IconDots size={18} stroke={1.7} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTrash size={18} stroke={1.7} />} onClick={onRemove}>
          {t("imports.remove")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
