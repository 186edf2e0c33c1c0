import type { TextInputProps } from "@mantine/core";
import { EmailAddress } from "#web/core/display/EmailAddress.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { Column } from "#web/core/table/table.ts";
import { fieldText } from "#web/fields/fieldText.ts";
import { LearnerStatus } from "#web/learners/LearnerStatus.tsx";
import classes from "#web/learners/LearnerTable.module.css";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { Field } from "#shared/fields/fields.ts";
import type { Learner, LearnerInput } from "#shared/learners/learners.ts";
import { email as emailShape } from "#shared/core/users.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

// Where the fields of a learner appear: inputs, the line below the name, and columns of the list

const { t } = i18n;
type Input = Pick<TextInputProps, "type" | "maxLength"> & {
  label: string;
  /** The error message for a value, or null. */
  check?: (value: string) => string | null;
};

/** The inputs of the form, in order. */
export const learnerInputs = (): Record<keyof LearnerInput, Input> => ({
  name: {
    label: t("learners.name"),
    maxLength: 120,
    check: (name) => (name.trim() ? null : t("learners.edit.noName")),
  },
  email: {
    label: t("learners.email"),
    type: "email",
    check: (email) => (emailShape.safeParse(email).success ? null : t("learners.rowStatus.badAddress")),
  },
});

/** The facts below the name on the learner's page. */
export const learnerFacts = (row: Learner) =>
  [row.company, contactOf(row), row.manager && t("managers.ledBy", { name: row.manager })].filter(Boolean);

export const progressOf = (row: Learner) =>
  row.assigned === 0 ? (
    <Num value={null} />
  ) : (
    <Num value={row.completed} of={t("learners.of", { count: row.assigned })} />
  );

/** The columns of the list; without the company if all rows are of one company. Own fields are shown if chosen. */
export function learnerColumns(
  companyId: string | undefined,
  fields: Field[],
  hidden: MeasuredKind[] = [],
): Column<Learner>[] {
  const columns: Column<Learner>[] = [
    {
      key: "name",
      head: t("learners.name"),
      sort: true,
      width: 300,
      render: (row) => (
        <>
          {nameOf(row)}
          {row.name && <EmailAddress email={contactOf(row)} />}
        </>
      ),
    },
    ...(companyId
      ? []
      : [
          {
            key: "company",
            head: t("learners.company"),
            sort: true,
            minor: "narrow" as const,
            render: (row: Learner) => (
              <span className={classes.clip} title={row.company}>
                {row.company}
              </span>
            ),
          },
        ]),
    {
      key: "manager",
      head: t("managers.manager"),
      minor: true,
      render: (row) => row.manager && <span className={classes.clip}>{row.manager}</span>,
    },
    { key: "status", head: t("learners.status"), render: (row) => <LearnerStatus learner={row} /> },
    {
      key: "completed",
      head: t("learners.completed"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: progressOf,
    },
    {
      key: "overdue",
      head: t("learners.overdue"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: (row) => <Num value={row.overdue} bad={row.overdue > 0} />,
    },
    {
      key: "meanScore",
      head: t("learners.meanScore"),
      align: "right",
      minor: true,
      render: (row) => (row.meanScore === null ? <Num value={null} /> : formatPercent(row.meanScore)),
    },
    {
      key: "activeTime",
      head: t("learners.activeTime"),
      align: "right",
      minor: true,
      render: (row) => (row.activeSeconds === 0 ? <Num value={null} /> : formatDuration(row.activeSeconds)),
    },
    {
      key: "lastActive",
      head: t("learners.lastActive"),
      sort: true,
      descendingFirst: true,
      render: (row) => <Time at={row.lastActive} />,
    },
    ...fields.map((field): Column<Learner> => ({
      key: field.id,
      head: field.name,
      isOptional: true,
      ...(field.kind === "number" && { align: "right" }),
      render: (row) => {
        const text = fieldText(field, row.fields[field.id]);
        return text === null ? (
          <Num value={null} />
        ) : (
          <span className={classes.clip} title={text}>
            {text}
          </span>
        );
      },
    })),
  ];
  return columns.filter(({ key }) => !hidden.some((kind) => measuredColumns[kind] === key));
}

const measuredColumns: Partial<Record<MeasuredKind, string>> = {
  scores: "meanScore",
  activeTime: "activeTime",
  lastActivity: "lastActive",
};
