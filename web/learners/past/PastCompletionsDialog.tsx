import { NumberInput, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import classes from "#web/learners/past/past.module.css";
import { PastCompletionList } from "#web/learners/past/PastCompletionList.tsx";
import { MAX_REFERENCE, MAX_TITLE, pastCompletions } from "#shared/completions/pastCompletions.ts";
import { courses } from "#shared/courses/courses.ts";

/** The value of the choice for a course that is not in this academy. */
const ANOTHER = "another";
const FIELDS = ["courseId", "title", "completedOn", "scorePercent", "reference"];
const EMPTY = {
  course: null as string | null,
  title: "",
  completedOn: null as string | null,
  score: "" as number | string,
  reference: "",
};

type Props = { opened: boolean; onClose: () => void; personId: string; name: string };

/** What a person has completed before or elsewhere: the list, and a form that records one more. */
export function PastCompletionsDialog({ opened, onClose, personId, name }: Props) {
  const { t } = useTranslation();
  const params = { id: personId };
  const { data: list, error } = useQuery(queryFor(pastCompletions.list, { params }));
  const { data: choices } = useQuery(queryFor(courses.choices));
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors, { fields: FIELDS });
  const add = useApiMutation(pastCompletions.add, { quiet: true });
  const { course, title, completedOn, score, reference } = form;
  const isAnother = course === ANOTHER;
  const change = (changed: Partial<typeof EMPTY>) => {
    setForm({ ...form, ...changed });
    setErrors({});
  };
  const published = (choices?.items ?? []).filter(({ status }) => status === "published");
  const submit = () => {
    if (!course || !completedOn || (isAnother && !title.trim())) {
      const given = { courseId: course, completedOn, title: !isAnother || title.trim() };
      const empty = Object.entries(given).flatMap(([field, value]) => (value ? [] : [field]));
      return setErrors(Object.fromEntries(empty.map((field) => [field, t("core.errors.missing")])));
    }
    return attempt(async () => {
      const { effect } = await add.mutateAsync({
        params,
        body: {
          courseId: isAnother ? null : course,
          title: isAnother ? title : "",
          completedOn,
          scorePercent: score === "" ? null : Number(score),
          reference,
        },
      });
      const recorded = isAnother ? title : (published.find(({ id }) => id === course)?.title ?? "");
      toast.done(t(`pastCompletions.added.${effect}`, { course: recorded, day: formatDate(completedOn) }));
      setForm(EMPTY);
    });
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("pastCompletions.title", { name })}
      submitLabel={t("pastCompletions.add")}
      cancelLabel={t("core.close")}
      busy={add.isPending}
      failure={failure}
      size={640}
      onSubmit={submit}
    >
      <p className={classes.intro}>{t("pastCompletions.intro")}</p>
      <Select
        label={t("pastCompletions.course")}
        searchable
        nothingFoundMessage={t("learners.noCourseFound")}
        data={[
          { value: ANOTHER, label: t("pastCompletions.another") },
          ...published.map((one) => ({ value: one.id, label: one.title })),
        ]}
        value={course}
        error={errors["courseId"]}
        onChange={(value) => change({ course: value })}
      />
      {isAnother && (
        <TextInput
          label={t("pastCompletions.name")}
          description={t("pastCompletions.nameHint")}
          maxLength={MAX_TITLE}
          value={title}
          error={errors["title"]}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DayInput
          label={t("pastCompletions.day")}
          value={completedOn}
          {...(list && { maxDate: list.today })}
          error={errors["completedOn"]}
          onChange={(value) => change({ completedOn: value })}
        />
        <NumberInput
          label={<OptionalLabel>{t("pastCompletions.score")}</OptionalLabel>}
          min={0}
          max={100}
          decimalScale={2}
          hideControls
          value={score}
          error={errors["scorePercent"]}
          onChange={(value) => change({ score: value })}
        />
      </SimpleGrid>
      <TextInput
        label={<OptionalLabel>{t("pastCompletions.reference")}</OptionalLabel>}
        description={t("pastCompletions.referenceHint")}
        maxLength={MAX_REFERENCE}
        value={reference}
        error={errors["reference"]}
        onChange={(event) => change({ reference: event.currentTarget.value })}
      />
      {error && <p role="alert">{t("pastCompletions.loadFailed")}</p>}
      {list && list.items.length > 0 && <PastCompletionList items={list.items} name={name} />}
      {list?.isMore && <p className={classes.dim}>{t("pastCompletions.more", { count: list.items.length })}</p>}
    </FormDialog>
  );
}
