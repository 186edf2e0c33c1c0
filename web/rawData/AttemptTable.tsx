import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import classes from "#web/rawData/AttemptGrid.module.css";
import { AttemptStatus } from "#web/rawData/AttemptStatus.tsx";
import { Masked } from "#web/rawData/ValueCell.tsx";
import { targetOfCell, type ValueTarget } from "#web/rawData/valueTarget.ts";
import { KeyText } from "#web/variables/KeyText.tsx";
import { valueText } from "#web/variables/valueText.ts";
import type { AttemptValues } from "#shared/rawData/rawData.ts";
import type { Variable } from "#shared/variables/variables.ts";

type Props = {
  rows: AttemptValues[];
  courseId: string;
  variables: Variable[];
  sort: string;
  onSort: (sort: string) => void;
  target: ValueTarget | null;
  onOpen: (target: ValueTarget) => void;
};

const isNumeric = ({ type }: Variable) => type === "number" || type === "duration";

/** Attempts as rows, variables as columns. Learners and heads stay while it scrolls; arrow keys move between values. */
export function AttemptTable({ rows, courseId, variables, sort, onSort, target, onOpen }: Props) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The open panel covers the right part of the page.
    if (target)
      scroll.current?.querySelector("td[data-selected]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [target]);
  return (
    <div
      ref={scroll}
      className={classes.scroll}
      data-beside={target !== null || undefined}
      tabIndex={0}
      role="group"
      aria-label={t("rawData.grid.table")}
    >
      <table className={classes.grid} onKeyDown={moveFocus}>
        <thead>
          <tr>
            <Sorted head={t("rawData.learner")} name="learner" sort={sort} onSort={onSort} />
            <th scope="col" data-align="right">
              {t("rawData.grid.version")}
            </th>
            <th scope="col" data-align="right">
              {t("rawData.grid.attempt")}
            </th>
            <th scope="col">{t("rawData.grid.status")}</th>
            {variables.map((variable) => (
              <th
                key={variable.id}
                scope="col"
                className={classes.variable}
                data-align={isNumeric(variable) ? "right" : undefined}
                data-selected={target?.variableId === variable.id || undefined}
              >
                <span className={classes.label}>{variable.label}</span>
                <KeyText>{variable.key}</KeyText>
              </th>
            ))}
            <th scope="col" data-align="right">
              {t("rawData.grid.score")}
            </th>
            <th scope="col" data-align="right">
              {t("rawData.grid.time")}
            </th>
            <Sorted head={t("rawData.grid.started")} name="startedAt" sort={sort} onSort={onSort} descendingFirst />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.attemptId}>
              <th scope="row" className={classes.learner}>
                <span>
                  <PersonMark name={row.learner} size={26} />
                  <span className={classes.words}>
                    {row.userId ? (
                      <Link to={`/learners/report/${row.userId}`}>{row.learner}</Link>
                    ) : (
                      t("rawData.noLearner")
                    )}
                    <small>{row.company}</small>
                  </span>
                </span>
              </th>
              <td data-align="right">{row.courseVersion}</td>
              <td data-align="right">{row.attempt}</td>
              <td>
                <AttemptStatus attempt={row} />
              </td>
              {variables.map((variable) => (
                <ValueCell
                  key={variable.id}
                  row={row}
                  courseId={courseId}
                  variable={variable}
                  target={target}
                  onOpen={onOpen}
                />
              ))}
              <td data-align="right">
                {row.scorePercent === null ? <Num value={null} /> : formatPercent(row.scorePercent)}
              </td>
              <td data-align="right">
                {row.activeSeconds ? formatDuration(row.activeSeconds) : <Num value={row.activeSeconds} />}
              </td>
              <td>
                <Time at={row.startedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type CellProps = { row: AttemptValues; variable: Variable } & Pick<Props, "courseId" | "target" | "onOpen">;

function ValueCell({ row, courseId, variable, target, onOpen }: CellProps) {
  const { t } = useTranslation();
  const value = row.values[variable.id] ?? null;
  const isMasked = variable.privacy === "sensitive" && variable.id in row.values;
  const cellTarget = targetOfCell(row, variable, courseId);
  const isSelected =
    target !== null &&
    cellTarget !== null &&
    target.variableId === cellTarget.variableId &&
    target.row === cellTarget.row;
  const text = isMasked ? t("rawData.masked") : valueText(value, variable, t);
  return (
    <td
      className={classes.cell}
      data-align={isNumeric(variable) ? "right" : undefined}
      data-selected={isSelected || undefined}
    >
      {cellTarget && text !== "" ? (
        <UnstyledButton
          className={classes.open}
          title={text}
          aria-label={t("rawData.openHistory", { value: text, variable: variable.label, learner: row.learner })}
          onClick={() => onOpen(cellTarget)}
        >
          {isMasked ? <Masked /> : text}
        </UnstyledButton>
      ) : (
        <span className={classes.none}>
          <span aria-hidden>–</span>
          <span className="ly-hidden">{t("rawData.grid.noValue")}</span>
        </span>
      )}
    </td>
  );
}

type SortedProps = {
  head: string;
  name: string;
  sort: string;
  onSort: (sort: string) => void;
  descendingFirst?: boolean;
};

function Sorted({ head, name, sort, onSort, descendingFirst }: SortedProps) {
  const isAscending = sort === name;
  const isDescending = sort === `-${name}`;
  const first = descendingFirst ? `-${name}` : name;
  const second = descendingFirst ? name : `-${name}`;
  const Arrow = isDescending ? IconArrowDown : IconArrowUp;
  let order: "ascending" | "descending" | "none" = "none";
  if (isAscending) order = "ascending";
  else if (isDescending) order = "descending";
  return (
    <th scope="col" aria-sort={order} className={name === "learner" ? classes.learner : undefined}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(sort === first ? second : first)}>
        {head}
        {order !== "none" && <Arrow size={15} stroke={1.8} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

const steps: Record<string, [rows: number, cells: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Arrow keys move from value to value, over cells without one. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>) {
  const step = steps[event.key];
  const from = (event.target as Element).closest("td");
  if (!step || !from) return;
  const table = event.currentTarget;
  let row = (from.parentElement as HTMLTableRowElement).rowIndex + step[0];
  let cell = from.cellIndex + step[1];
  for (; table.rows[row]?.cells[cell]; row += step[0], cell += step[1]) {
    const button = table.rows[row]?.cells[cell]?.querySelector<HTMLElement>("td > button");
    if (!button) continue;
    event.preventDefault();
    button.focus();
    return;
  }
}
