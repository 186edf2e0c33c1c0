import { Button, Group, Input, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ruleText } from "#web/courses/ruleText.ts";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { issuesOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { type CourseDetail, type CourseInput, courses } from "#shared/courses/courses.ts";

const narrow = { wrapper: { maxWidth: 260 } };
const fields = ["title", "code", "summary", "minutes"] as const;
type Settings = Pick<CourseInput, (typeof fields)[number]>;
const valuesOf = (course: Settings): Settings => ({
  title: course.title,
  code: course.code,
  summary: course.summary,
  minutes: course.minutes,
});
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Title and description of a course, and the way to its completion rule. */
export function SettingsTab({ course }: { course: CourseDetail }) {
  const { t } = useTranslation();
  const save = useApiMutation(courses.update, { quiet: true });
  const form = useForm<Settings>({
    initialValues: valuesOf(course),
    validate: {
      title: (title) => (title.trim() ? null : t("courses.settings.enterTitle")),
      code: (code) => (code.trim() ? null : t("courses.settings.enterCode")),
    },
  });
  const params = { id: course.id };
  /** The version that the form was filled from; sent with an update. */
  const [baseVersion, setBaseVersion] = useState(course.version);
  const fillForm = (now: CourseDetail) => {
    form.setInitialValues(valuesOf(now));
    form.setValues(valuesOf(now));
    setBaseVersion(now.version);
  };
  const isClean = !form.isDirty();
  const refresh = useEffectEvent((version: number) => {
    if (isClean && version > baseVersion) fillForm(course);
  });
  // oxlint-disable-next-line react/set-state-in-effect -- the fields live in the form, which nothing else can refill
  useEffect(() => refresh(course.version), [course.version]);
  const onSaved = (now: CourseDetail) => {
    fillForm(now);
    toast.done(t("courses.settings.saved"));
  };
  const onFailed = (error: unknown) => {
    const issues = issuesOf(error);
    if (Object.keys(issues).length > 0) form.setErrors(issues);
    else toast.failed(error);
  };
  const conflict = useConflict<CourseDetail>({
    labels: {
      title: t("courses.settings.title"),
      code: t("courses.code"),
      summary: t("courses.summary"),
      minutes: t("courses.settings.minutes"),
    },
    load: () => call(courses.get, { params }),
    onKeepMine: (mine, version) =>
      void save.mutateAsync({ params, body: { ...(mine as Partial<Settings>), version } }).then(onSaved, onFailed),
    onTakeTheirs: fillForm,
    formatValue: (_, value) => String(value ?? ""),
  });
  const submit = async (values: Settings) => {
    const before = form.getInitialValues();
    const changed = Object.fromEntries(
      fields.flatMap((field) => (isEqual(values[field], before[field]) ? [] : [[field, values[field]]])),
    ) as Partial<Settings>;
    try {
      onSaved(await save.mutateAsync({ params, body: { ...changed, version: baseVersion } }));
    } catch (error) {
      if (isStatus(error, 409) && (await conflict.handleError(error, changed))) return;
      onFailed(error);
    }
  };

  return (
    <form
      noValidate
      style={{ maxWidth: 560 }}
      onSubmit={form.onSubmit(
        (values) => void submit(values),
        (errors) => {
          const [first] = Object.keys(errors);
          if (first) form.getInputNode(first)?.focus();
        },
      )}
    >
      <Stack gap="md">
        <TextInput
          key={form.key("title")}
          label={t("courses.settings.title")}
          maxLength={200}
          {...form.getInputProps("title")}
        />
        <TextInput
          key={form.key("code")}
          label={t("courses.code")}
          description={t("courses.settings.codeHint")}
          maxLength={40}
          styles={narrow}
          {...form.getInputProps("code")}
        />
        <Textarea
          key={form.key("summary")}
          label={
            <>
              {t("courses.summary")}{" "}
              <Text span c="dimmed" fw={400} fz="inherit">
                {t("core.optional")}
              </Text>
            </>
          }
          description={t("courses.settings.summaryHint")}
          maxLength={2000}
          autosize
          minRows={3}
          maxRows={10}
          {...form.getInputProps("summary")}
        />
        <NumberInput
          key={form.key("minutes")}
          label={
            <>
              {t("courses.settings.minutes")}{" "}
              <Text span c="dimmed" fw={400} fz="inherit">
                {t("core.optional")}
              </Text>
            </>
          }
          description={t("courses.settings.minutesHint")}
          min={1}
          max={10_000}
          allowDecimal={false}
          styles={narrow}
          {...form.getInputProps("minutes")}
          value={form.values.minutes ?? ""}
          onChange={(next) => form.setFieldValue("minutes", next === "" ? null : Number(next))}
        />
        <Input.Wrapper label={t("courses.rule.label")} labelElement="div">
          <Text fz="sm">
            {ruleText(course.completionRule, course.kind)}{" "}
            <Link to={`/courses/${course.id}/completion`}>{t("courses.rule.change")}</Link>
          </Text>
        </Input.Wrapper>
      </Stack>
      <Group mt="lg" gap="sm">
        <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
          {t("courses.settings.save")}
        </Button>
        {form.isDirty() && (
          <Button variant="subtle" onClick={() => fillForm(course)}>
            {t("courses.settings.discard")}
          </Button>
        )}
      </Group>
      {conflict.dialog}
    </form>
  );
}
