import { Checkbox, FocusTrap, Select, SimpleGrid, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { toast } from "#web/core/toast/toast.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { ExemptionList } from "#web/requirements/ExemptionList.tsx";
import classes from "#web/requirements/requirements.module.css";
import { addDays } from "#shared/core/dates.ts";
import {
  DUE_AFTER_DAYS,
  type ExemptionGround,
  exemptionGround,
  exemptions,
  MAX_NOTE,
} from "#shared/requirements/exemptions.ts";
import type { ComplianceCell, CompliancePerson } from "#shared/requirements/requirements.ts";

type Props = {
  person: CompliancePerson;
  cell: ComplianceCell;
  course: string;
  onClose: () => void;
};
const FIELDS = ["from", "until", "due", "ground", "note"];

/** The exemptions of a person from a required course. While there is one, it can be ended; else one can be added. */
export function ExemptionDialog({ person, cell, course, onClose }: Props) {
  const { t } = useTranslation();
  const params = { id: cell.enrolmentId };
  const { data: list, error } = useQuery(queryFor(exemptions.list, { params }));
  const title = t("exemptions.title", { name: nameOf(person), course });
  const open = list?.items.find(({ isOpen }) => isOpen);
  if (!list || open)
    return (
      <Dialog opened onClose={onClose} title={title} size={560}>
        {error && <p role="alert">{t("exemptions.loadFailed")}</p>}
        {list && <ExemptionList items={list.items} name={nameOf(person)} />}
      </Dialog>
    );
  return (
    <ExemptionForm {...{ person, cell, title, onClose }} today={list.today}>
      {list.items.length > 0 && <ExemptionList items={list.items} name={nameOf(person)} />}
    </ExemptionForm>
  );
}

type FormProps = Omit<Props, "course"> & { title: string; today: string; children: ReactNode };

function ExemptionForm({ person, cell, title, today, onClose, children }: FormProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState<string | null>(today);
  const [until, setUntil] = useState<string | null>(null);
  const [due, setDue] = useState<string | null>(null);
  const [ground, setGround] = useState<ExemptionGround | null>(null);
  const [note, setNote] = useState("");
  const [everywhere, setEverywhere] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors, { fields: FIELDS });
  const create = useApiMutation(exemptions.create, { quiet: true });
  const submit = () => {
    if (!from || !until || !due || !ground) {
      const given = { from, until, due, ground };
      const empty = Object.entries(given).flatMap(([field, value]) => (value ? [] : [field]));
      return setErrors(Object.fromEntries(empty.map((field) => [field, t("core.errors.missing")])));
    }
    return attempt(async () => {
      const body = { from, until, due, ground, note, everywhere };
      const { courses } = await create.mutateAsync({ params: { id: cell.enrolmentId }, body });
      toast.done(t("exemptions.added", { name: nameOf(person), count: courses }));
      onClose();
    });
  };
  const clearing =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setErrors({});
    };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={title}
      submitLabel={t("exemptions.add")}
      busy={create.isPending}
      failure={failure}
      size={600}
      onSubmit={submit}
    >
      {/* On the first field, focus would open its calendar. */}
      <FocusTrap.InitialFocus />
      <p className={classes.effect}>{t("exemptions.effect")}</p>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DayInput label={t("exemptions.from")} value={from} error={errors["from"]} onChange={clearing(setFrom)} />
        <DayInput
          label={t("exemptions.until")}
          value={until}
          {...(from && { minDate: from })}
          error={errors["until"]}
          onChange={clearing((day: string | null) => {
            setUntil(day);
            setDue(day && addDays(day, DUE_AFTER_DAYS));
          })}
        />
      </SimpleGrid>
      <DayInput
        label={t("exemptions.due")}
        description={t("exemptions.dueHint")}
        value={due}
        {...(until && { minDate: addDays(until, 1) })}
        error={errors["due"]}
        onChange={clearing(setDue)}
      />
      <Select
        label={t("exemptions.ground")}
        description={t("exemptions.groundHint")}
        allowDeselect={false}
        data={exemptionGround.options.map((value) => ({ value, label: t(`exemptions.grounds.${value}`) }))}
        value={ground}
        error={errors["ground"]}
        onChange={clearing((value: string | null) => setGround(value as ExemptionGround | null))}
      />
      <Textarea
        label={<OptionalLabel>{t("exemptions.note")}</OptionalLabel>}
        autosize
        minRows={2}
        maxLength={MAX_NOTE}
        value={note}
        error={errors["note"]}
        onChange={(event) => clearing(setNote)(event.currentTarget.value)}
      />
      {person.cells.length > 1 && (
        <Checkbox
          label={t("exemptions.everywhere")}
          checked={everywhere}
          onChange={(event) => setEverywhere(event.currentTarget.checked)}
        />
      )}
      {children}
    </FormDialog>
  );
}
