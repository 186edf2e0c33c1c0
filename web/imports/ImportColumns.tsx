import { Alert, Button, Select, SegmentedControl } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { columnText } from "#web/imports/columnText.ts";
import classes from "#web/imports/imports.module.css";
import { unmappedFields } from "#shared/imports/guessColumns.ts";
import { fieldsAbout, type ImportColumn } from "#shared/imports/importReasons.ts";
import { dateOrder, existing, type ImportDetail, imports } from "#shared/imports/imports.ts";

/** The field of each column with an example; a change is remembered for the company, and all rows are checked again. */
export function ImportColumns({ file }: { file: ImportDetail }) {
  const { t } = useTranslation();
  const [mapping, setMapping] = useState(file.mapping);
  const [policy, setPolicy] = useState({
    existing: file.existing,
    dates: file.dates,
    keepsUnknown: file.keepsUnknown,
  });
  const map = useApiMutation(imports.map);
  const offered: ImportColumn[] = [...fieldsAbout[file.about], ...file.fields.map(({ id }) => `own:${id}` as const)];
  const missing = unmappedFields(file.about, mapping, file.hasPinLogin);
  const isChanged =
    policy.existing !== file.existing ||
    policy.dates !== file.dates ||
    policy.keepsUnknown !== file.keepsUnknown ||
    mapping.some((field, column) => field !== file.mapping[column]);
  const hasDates = file.about === "completions" || file.fields.some(({ kind }) => kind === "date");
  const choose = (column: number, field: ImportColumn | null) =>
    setMapping(mapping.map((one) => (one === field ? null : one)).with(column, field));
  return (
    <Section
      title={t("imports.columns")}
      side={
        <span className={classes.remembered}>
          <IconBookmark size={16} stroke={1.7} aria-hidden />
          {t("imports.remembered", { company: file.company })}
        </span>
      }
    >
      {missing.length > 0 && (
        <Alert color="yellow" className={classes.notice} role="alert">
          {t("imports.needs", { fields: missing.map((field) => t(`imports.fields.${field}`)).join(", ") })}
        </Alert>
      )}
      <ul className={classes.columns}>
        {file.head.map((head, column) => (
          <li key={column}>
            <Select
              label={head || "–"}
              classNames={{ label: classes.head }}
              allowDeselect={false}
              data={[
                { value: "", label: t("imports.ignore") },
                ...offered.map((field) => ({ value: field, label: columnText(field, file, t) })),
              ]}
              value={mapping[column] ?? ""}
              onChange={(value) => choose(column, (value || null) as ImportColumn | null)}
            />
            <span className={classes.sample}>{file.sample[column] || "–"}</span>
          </li>
        ))}
      </ul>
      <div className={classes.policy}>
        {file.about === "people" ? (
          <Choice
            label={t("imports.existing")}
            value={policy.existing}
            onChange={(value) => setPolicy({ ...policy, existing: value })}
            options={existing.options.map((value) => ({ value, label: t(`imports.existingIs.${value}`) }))}
          />
        ) : (
          <Choice
            label={t("imports.unknownCourses")}
            value={policy.keepsUnknown ? "keep" : "reject"}
            onChange={(value) => setPolicy({ ...policy, keepsUnknown: value === "keep" })}
            options={(["reject", "keep"] as const).map((value) => ({
              value,
              label: t(`imports.unknownCoursesAre.${value}`),
            }))}
          />
        )}
        {hasDates && (
          <Choice
            label={t("imports.dates")}
            value={policy.dates}
            onChange={(value) => setPolicy({ ...policy, dates: value })}
            options={dateOrder.options.map((value) => ({ value, label: t(`imports.datesAre.${value}`) }))}
          />
        )}
        <Button
          variant="default"
          disabled={!isChanged}
          loading={map.isPending}
          onClick={() => map.mutate({ params: { id: file.id }, body: { mapping, ...policy } })}
        >
          {t("imports.checkAgain")}
        </Button>
      </div>
    </Section>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: { value: T; label: string }[];
};

function Choice<T extends string>({ label, value, onChange, options }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className={classes.choice}>
      <span id={id}>{label}</span>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChange(chosen as T)}
        data={options}
      />
    </div>
  );
}
