import { Alert, Button, Select, SegmentedControl } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { columnText } from "#web/imports/columnText.ts";
import classes from "#web/imports/imports.module.css";
import { unmappedFields } from "#shared/imports/guessColumns.ts";
import { type ImportColumn, importField } from "#shared/imports/importReasons.ts";
import { existing, type ImportDetail, imports } from "#shared/imports/imports.ts";

/** The field of each column with an example; a change is remembered for the company, and all rows are checked again. */
export function ImportColumns({ file }: { file: ImportDetail }) {
  const { t } = useTranslation();
  const [mapping, setMapping] = useState(file.mapping);
  const [policy, setPolicy] = useState(file.existing);
  const map = useApiMutation(imports.map);
  const offered: ImportColumn[] = [...importField.options, ...file.fields.map(({ id }) => `own:${id}` as const)];
  const missing = unmappedFields(mapping, file.hasPinLogin);
  const isChanged = policy !== file.existing || mapping.some((field, column) => field !== file.mapping[column]);
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
        <span id="existing">{t("imports.existing")}</span>
        <SegmentedControl
          aria-labelledby="existing"
          value={policy}
          onChange={(value) => setPolicy(value as typeof policy)}
          data={existing.options.map((value) => ({ value, label: t(`imports.existingIs.${value}`) }))}
        />
        <Button
          variant="default"
          disabled={!isChanged}
          loading={map.isPending}
          onClick={() => map.mutate({ params: { id: file.id }, body: { mapping, existing: policy } })}
        >
          {t("imports.checkAgain")}
        </Button>
      </div>
    </Section>
  );
}
