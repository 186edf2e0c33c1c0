import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { download } from "#web/core/api/download.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { ListContract } from "#web/core/table/table.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CellCard } from "#web/requirements/CellCard.tsx";
import classes from "#web/requirements/requirements.module.css";
import {
  type ComplianceCell,
  type CompliancePerson,
  type RequirementList,
  requirementState,
} from "#shared/requirements/requirements.ts";

type Props = {
  /** What is required. */
  list: RequirementList;
  /** The contract of the people, and its path parameters. */
  people: ListContract<CompliancePerson>;
  params?: Record<string, string>;
  /** The address of their file. */
  fileOf: (query: Record<string, string>) => string;
  groups?: { id: string; name: string }[];
  /** The page of a person, and what it is. */
  pathOf: (person: CompliancePerson) => string;
  page: "report" | "person";
  /** Admins open courses again, and take that back. */
  canOpen: boolean;
  /** Offers the list as of an earlier day. */
  hasEarlierDays?: boolean;
};

/** Further courses are columns that are chosen. */
const SHOWN_COURSES = 7;
/** With more courses than these the table scrolls sideways. */
const WIDE_FROM = 4;
/** The keys that move between cells, with the columns and rows that they move by. */
const moves: Record<string, [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrows move from cell to cell; a cell that is not required is passed over. */
function moveBetweenCells(event: KeyboardEvent<HTMLElement>) {
  const [columns, rows] = moves[event.key] ?? [0, 0];
  const from = (event.target as HTMLElement).closest("td");
  if ((columns === 0 && rows === 0) || !from || !(event.target as HTMLElement).closest(`.${classes.cell}`)) return;
  event.preventDefault();
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  const step = isRtl ? -columns : columns;
  let row: Element | null | undefined = from.parentElement;
  let at = from.cellIndex;
  do {
    at += step;
    if (rows !== 0) row = rows < 0 ? row?.previousElementSibling : row?.nextElementSibling;
    const found = row?.children[at]?.querySelector<HTMLElement>(`.${classes.cell}`);
    if (found) return found.focus();
  } while (row?.children[at]);
}

/** People, and for each required course its state. */
export function CompliancePeople({
  list,
  people,
  params,
  fileOf,
  groups = [],
  pathOf,
  page,
  canOpen,
  hasEarlierDays = false,
}: Props) {
  const { t } = useTranslation();
  const cardOf = (row: CompliancePerson, cell: ComplianceCell, course: string) => (
    <CellCard
      person={row}
      cell={cell}
      course={course}
      path={row.isErased ? null : pathOf(row)}
      page={page}
      canOpen={canOpen}
    />
  );
  const render = (row: CompliancePerson, courseId: string, course: string) => {
    const cell = row.cells.find((one) => one.courseId === courseId);
    if (cell) return cardOf(row, cell, course);
    return (
      <span className={classes.dim}>
        <span aria-hidden>–</span>
        <span className="ly-hidden">{t("requirements.cells.none")}</span>
      </span>
    );
  };
  return (
    <div className={classes.people} data-wide={list.total > WIDE_FROM || undefined} onKeyDown={moveBetweenCells}>
      <DataTable<CompliancePerson>
        list={people}
        {...(params && { params })}
        sort="name"
        search={t("requirements.search")}
        noun={t("requirements.people")}
        filters={[
          ...(hasEarlierDays ? [{ key: "asOf", label: t("requirements.asOfDay"), kind: "day" as const }] : []),
          {
            key: "state",
            label: t("requirements.state"),
            options: [...requirementState.options, "lapsed" as const].map((value) => ({
              value,
              label: t(`requirements.states.${value}`),
            })),
          },
          {
            key: "courseId",
            label: t("requirements.course"),
            options: list.items.map(({ courseId, course }) => ({ value: courseId, label: course })),
          },
          ...(groups.length > 0
            ? [
                {
                  key: "groupId",
                  label: t("requirements.group"),
                  options: groups.map(({ id, name }) => ({ value: id, label: name })),
                },
              ]
            : []),
        ]}
        rowKey={(row) => row.userId}
        name={nameOf}
        to={(row) => (row.isErased ? null : pathOf(row))}
        mark={(row) => <PersonMark name={nameOf(row)} size={26} />}
        columns={[
          { key: "name", head: t("requirements.person"), sort: true },
          ...list.items.map(({ courseId, course }, at) => ({
            key: courseId,
            head: course,
            isOptional: at >= SHOWN_COURSES,
            render: (row: CompliancePerson) => render(row, courseId, course),
          })),
        ]}
        phone={(row) => {
          const open = row.cells.filter(({ state }) => state !== "valid");
          const valid = row.cells.length - open.length;
          return {
            side: valid > 0 && t("requirements.allValid", { count: valid }),
            extra: open.length > 0 && (
              <ul className={classes.phoneCells}>
                {list.items.map(({ courseId, course }) => {
                  const cell = open.find((one) => one.courseId === courseId);
                  return (
                    cell && (
                      <li key={courseId}>
                        <span>{course}</span>
                        {cardOf(row, cell, course)}
                      </li>
                    )
                  );
                })}
              </ul>
            ),
          };
        }}
        onExport={async (query, onProgress) => {
          await download(fileOf(query), "compliance.csv", onProgress).catch((error: unknown) => toast.failed(error));
        }}
        empty={{ title: t("requirements.nobody"), text: t("requirements.nobodyText") }}
      />
      <ul className={classes.legend}>
        {requirementState.options.map((state) => (
          <li key={state} className={classes.cell} data-state={state}>
            <span className={classes.arch} aria-hidden />
            {t(`requirements.states.${state}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}
