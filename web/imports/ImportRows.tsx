import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor, useApiMutation } from "#web/core/api/api.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { columnText } from "#web/imports/columnText.ts";
import classes from "#web/imports/imports.module.css";
import { FIRST_PAGE, nextPaging } from "#web/imports/PagedPeople.tsx";
import type { ImportColumn, Reason } from "#shared/imports/importReasons.ts";
import { type ImportDetail, type ImportRow, imports, type Outcome } from "#shared/imports/imports.ts";

/** Fields that tell a reader which row it is. */
const NAMING = new Set<string>(["email", "name", "course"]);
const outcomes = ["rejected", "create", "update", "same", "leftOut"] as const satisfies Outcome[];

/** The rows by what becomes of them. Cells of rows that are wrong are corrected in place. */
export function ImportRows({ file, onDownload }: { file: ImportDetail; onDownload: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const offered = outcomes.filter((outcome) => outcome !== "update" || file.about === "people");
  const first = offered.find((outcome) => file.counts[outcome] > 0) ?? "rejected";
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const [paging, setPaging] = useState(FIRST_PAGE);
  const outcome = chosen ?? first;
  const { data } = useQuery(pagedQueryFor(imports.rows, { params: { id: file.id }, query: { outcome, ...paging } }));
  const canEdit = file.state === "ready";
  const columns = file.mapping.flatMap((field, column) => (field ? [{ field, column }] : []));
  const shown = columns.length > 0 ? columns : file.head.map((_, column) => ({ field: null, column }));
  const hasReasons = outcome === "rejected" || (data?.items.some(({ reasons }) => reasons.length > 0) ?? false);
  return (
    <section className={classes.rows} aria-label={t("imports.counts.rows")}>
      <div className={classes.tabs}>
        <SegmentedControl
          value={outcome}
          onChange={(value) => {
            setChosen(value as Outcome);
            setPaging({ ...paging, page: 1 });
          }}
          data={offered.map((value) => ({
            value,
            label: `${t(`imports.counts.${value}`)} ${formatNumber(file.counts[value])}`,
          }))}
        />
        {file.counts.rejected > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.7} />}
            onClick={() => void onDownload()}
          >
            {t("imports.downloadRejected", { count: file.counts.rejected })}
          </Button>
        )}
      </div>
      {data && data.total > 0 ? (
        <>
          {canEdit && outcome === "rejected" && <p className={classes.hint}>{t("imports.fixHint")}</p>}
          <div className={classes.scroll} tabIndex={0} role="region" aria-label={t(`imports.counts.${outcome}`)}>
            <table className={classes.table} data-about={file.about}>
              <thead>
                <tr>
                  <th scope="col">{t("imports.row")}</th>
                  {shown.map(({ field, column }) => (
                    <th scope="col" key={column}>
                      {field ? columnText(field, file, t) : file.head[column]}
                    </th>
                  ))}
                  {hasReasons && <th scope="col">{t("imports.wrong")}</th>}
                  {canEdit && (
                    <th>
                      <span className="ly-hidden">{t("core.actions")}</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {data.items.map((row) => (
                  <Row
                    key={row.number}
                    file={file}
                    row={row}
                    columns={shown}
                    hasReasons={hasReasons}
                    canEdit={canEdit}
                  />
                ))}
              </tbody>
            </table>
          </div>
          <TableFooter
            {...paging}
            total={data.total}
            noun={undefined}
            embedded
            onChange={(change) => setPaging(nextPaging(paging, change))}
          />
        </>
      ) : (
        <p className={classes.nothing}>{t("imports.nothing")}</p>
      )}
    </section>
  );
}

type RowProps = {
  file: ImportDetail;
  row: ImportRow;
  columns: { field: string | null; column: number }[];
  /** Whether some row of the page has reasons: rejected ones, and imported people without the manager of their row. */
  hasReasons: boolean;
  canEdit: boolean;
};

function Row({ file, row, columns, hasReasons, canEdit }: RowProps) {
  const { t } = useTranslation();
  const correct = useApiMutation(imports.correct);
  const { number, reasons, outcome } = row;
  const params = { id: file.id, number };
  const isWrong = outcome === "rejected";
  const change = async (column: number, value: string) => {
    if (value === (row.cells[column] ?? "")) return true;
    const checked = await correct.mutateAsync({ params, body: { cells: { [column]: value } } }).catch(() => null);
    if (checked && checked.outcome !== "rejected") toast.done(t("imports.rowChecked", { row: number }));
    return checked !== null;
  };
  const leaveOut = async (leftOut: boolean) => {
    const checked = await correct.mutateAsync({ params, body: { leftOut } }).catch(() => null);
    if (checked) toast.done(t(leftOut ? "imports.rowLeftOut" : "imports.rowIncluded", { row: number }));
  };
  return (
    <tr>
      <td className={classes.number} data-head={t("imports.row")}>
        {number}
      </td>
      {columns.map(({ field, column }) => {
        const bad = reasons.some((reason) => reason.field === field && field !== null);
        const label = t("imports.editCell", { column: file.head[column] ?? "", row: number });
        return (
          <td
            key={column}
            data-minor={(isWrong && !bad && !NAMING.has(field ?? "")) || undefined}
            data-head={field ? columnText(field as ImportColumn, file, t) : file.head[column]}
          >
            {canEdit && isWrong ? (
              <Cell
                label={label}
                field={field}
                value={row.cells[column] ?? ""}
                bad={bad}
                onChange={(value) => change(column, value)}
              />
            ) : (
              <span className={classes.clip} data-bad={bad || undefined} title={row.cells[column]}>
                {row.cells[column] || "–"}
              </span>
            )}
          </td>
        );
      })}
      {hasReasons && (
        <td className={classes.wrong}>
          {reasons.map((reason) => (
            <StatusDot key={`${reason.field} ${reason.code}`} tone={reason.code === "duplicate" ? "idle" : "bad"}>
              <ReasonText file={file} reason={reason} />
            </StatusDot>
          ))}
        </td>
      )}
      {canEdit && (
        <td className={classes.action}>
          <Button variant="subtle" size="compact-sm" onClick={() => void leaveOut(outcome !== "leftOut")}>
            {outcome === "leftOut" ? t("imports.takeBack") : t("imports.leaveOut")}
          </Button>
        </td>
      )}
    </tr>
  );
}

function ReasonText({ file, reason: { field, code, row } }: { file: ImportDetail; reason: Reason }) {
  const { t } = useTranslation();
  const text = t(`imports.reasons.${code}`, { row: row ?? "" });
  return field ? `${columnText(field, file, t)}: ${text}` : text;
}

type CellProps = {
  label: string;
  field: string | null;
  value: string;
  bad: boolean;
  /** Resolves to whether the value is stored. */
  onChange: (value: string) => Promise<boolean>;
};

/** Sends a changed cell on Enter or when the focus leaves it; what could not be stored stays. Escape restores it. */
function Cell({ label, field, value, bad, onChange }: CellProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const isSending = useRef(false);
  const send = async () => {
    if (draft === null || isSending.current) return;
    isSending.current = true;
    const isStored = await onChange(draft.trim());
    isSending.current = false;
    if (isStored) setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") void send();
    if (event.key === "Escape") setDraft(null);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      data-field={field}
      error={bad}
      className={classes.cell}
      value={draft ?? value}
      spellCheck={false}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => void send()}
    />
  );
}
