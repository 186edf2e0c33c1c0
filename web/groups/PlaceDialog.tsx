import { MultiSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { type Group, groups, MAX_PLACED } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { contactOf } from "#web/core/display/person.ts";

type Props = { group: Pick<Group, "id" | "name" | "companyId">; place: "in" | "out"; onClose: () => void };
type Person = { value: string; label: string };

/** Puts people of the company into a group by hand, or keeps them out, perhaps until a day. */
export function PlaceDialog({ group, place, onClose }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Person[]>([]);
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const [until, setUntil] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors);
  const send = useApiMutation(groups.place, { quiet: true });
  const { data } = useQuery(
    pagedQueryFor(learners.list, { query: { companyId: group.companyId, size: 20, ...(q && { q }) } }),
  );
  const found = (data?.items ?? []).map((person) => ({
    value: person.id,
    label: person.name ? `${person.name}, ${contactOf(person)}` : contactOf(person),
  }));
  const options = [...chosen, ...found.filter(({ value }) => !chosen.some((one) => one.value === value))];
  const save = () =>
    attempt(async () => {
      setErrors({});
      if (chosen.length === 0) return setErrors({ ids: t("groups.place.choose") });
      const ids = chosen.map(({ value }) => value);
      const { changed } = await send.mutateAsync({ params: { id: group.id }, body: { ids, place, until, note } });
      toast.done(t(`groups.placed.${place}`, { count: changed }));
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t(`groups.place.${place}Title`, { name: group.name })}
      submitLabel={t(`groups.place.${place === "in" ? "addCount" : "outCount"}`, { count: Math.max(1, chosen.length) })}
      busy={send.isPending}
      failure={failure}
      onSubmit={save}
    >
      <p style={{ margin: 0 }}>{t(`groups.place.${place}Text`)}</p>
      <MultiSelect
        label={t("groups.people")}
        description={t("groups.place.findHint")}
        data-autofocus
        searchable
        hidePickedOptions
        maxValues={MAX_PLACED}
        nothingFoundMessage={t("groups.place.nobody")}
        clearButtonProps={{ "aria-label": t("learners.clear") }}
        error={errors["ids"]}
        data={options}
        filter={({ options: all }) => all}
        value={chosen.map(({ value }) => value)}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(ids) => {
          setChosen(ids.flatMap((id) => options.find(({ value }) => value === id) ?? []));
          setErrors({});
        }}
      />
      <DayInput
        label={<OptionalLabel>{t("groups.place.until")}</OptionalLabel>}
        description={t("groups.place.untilHint")}
        error={errors["until"]}
        value={until}
        onChange={setUntil}
      />
      <TextInput
        label={<OptionalLabel>{t("groups.place.note")}</OptionalLabel>}
        maxLength={200}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
