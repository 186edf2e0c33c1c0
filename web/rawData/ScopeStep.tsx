import { Button, Group, Input, MultiSelect, SegmentedControl, Select, Stack, Switch } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LearnerPicker } from "#web/courses/admin/LearnerPicker.tsx";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import classes from "#web/rawData/DeleteVariables.module.css";
import type { DeletionSelection } from "#web/rawData/deletionSelection.ts";
import { useVariableChoices } from "#web/rawData/useRawDataChoices.ts";
import { MAX_PEOPLE } from "#shared/rawData/rawData.ts";

type Props = {
  selection: DeletionSelection;
  onChange: (change: Partial<DeletionSelection>) => void;
  onBack: () => void;
  onNext: () => void;
};

/** Chooses variables, learners and days. */
export function ScopeStep({ selection, onChange, onBack, onNext }: Props) {
  const { t } = useTranslation();
  const companies = useCompanies();
  const variables = useVariableChoices(selection.courseId) ?? [];
  const [isChecked, setIsChecked] = useState(false);
  const { which, variableIds, whose, companyId, userIds, from, to, onlyPreview } = selection;
  const errors = {
    variables: which === "some" && variableIds.length === 0 && t("rawData.deletion.chooseVariables"),
    company: whose === "company" && companyId === "" && t("rawData.deletion.chooseCompany"),
    people: whose === "people" && userIds.length === 0 && t("rawData.deletion.choosePeople"),
    tooMany: whose === "people" && userIds.length > MAX_PEOPLE && t("rawData.deletion.tooMany", { count: MAX_PEOPLE }),
    days: from !== "" && to !== "" && to < from && t("rawData.deletion.daysReversed"),
  };
  const shown = isChecked ? errors : { variables: false, company: false, people: false, tooMany: false, days: false };
  const next = () => {
    setIsChecked(true);
    if (!Object.values(errors).some(Boolean)) onNext();
  };
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <Stack gap="lg">
        <Input.Wrapper label={t("rawData.deletion.which")} labelElement="div">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label={t("rawData.deletion.which")}
            value={which}
            onChange={(value) => onChange({ which: value as DeletionSelection["which"] })}
            data={[
              { value: "all", label: t("rawData.deletion.allVariables") },
              { value: "some", label: t("rawData.deletion.someVariables") },
            ]}
          />
          {which === "some" && (
            <MultiSelect
              mt="xs"
              searchable
              aria-label={t("rawData.deletion.chooseVariables")}
              placeholder={variableIds.length === 0 ? t("rawData.deletion.chooseVariables") : ""}
              data={variables.map(({ id, label, key }) => ({ value: id, label: `${label} (${key})` }))}
              nothingFoundMessage={t("rawData.grid.noVariables")}
              value={variableIds}
              onChange={(ids) => onChange({ variableIds: ids })}
              error={shown.variables}
            />
          )}
        </Input.Wrapper>
        <Input.Wrapper label={t("rawData.deletion.whose")} labelElement="div">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label={t("rawData.deletion.whose")}
            value={whose}
            onChange={(value) => onChange({ whose: value as DeletionSelection["whose"] })}
            data={[
              { value: "everyone", label: t("rawData.deletion.everyone") },
              { value: "company", label: t("rawData.deletion.oneCompany") },
              { value: "people", label: t("rawData.deletion.someLearners") },
            ]}
          />
          {whose === "company" && (
            <Select
              mt="xs"
              searchable
              aria-label={t("rawData.deletion.chooseCompany")}
              placeholder={t("rawData.deletion.chooseCompany")}
              data={companies.map(({ id, name }) => ({ value: id, label: name }))}
              value={companyId || null}
              onChange={(id) => onChange({ companyId: id ?? "" })}
              error={shown.company}
            />
          )}
        </Input.Wrapper>
        {whose === "people" && (
          <Input.Wrapper labelElement="div" error={shown.people || shown.tooMany}>
            <LearnerPicker value={userIds} onChange={(ids) => onChange({ userIds: ids })} />
          </Input.Wrapper>
        )}
        <Input.Wrapper
          label={t("rawData.deletion.days")}
          description={t("rawData.deletion.daysHint")}
          labelElement="div"
          error={shown.days}
        >
          <Group grow gap="sm" mt={4}>
            <DayInput
              label={t("rawData.from")}
              value={from || null}
              onChange={(day) => onChange({ from: day ?? "" })}
            />
            <DayInput label={t("rawData.to")} value={to || null} onChange={(day) => onChange({ to: day ?? "" })} />
          </Group>
        </Input.Wrapper>
        <Switch
          label={t("rawData.deletion.onlyPreview")}
          checked={onlyPreview}
          onChange={(event) => onChange({ onlyPreview: event.currentTarget.checked })}
        />
      </Stack>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack}>
          {t("rawData.deletion.back")}
        </Button>
        <Button type="submit">{t("rawData.deletion.next")}</Button>
      </div>
    </form>
  );
}
