import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { formatDate } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/paths/paths.module.css";
import { type PathDetail, paths } from "#shared/paths/paths.ts";

/** Title and description of a path, and archiving. */
export function SettingsTab({ path }: { path: PathDetail }) {
  const { t } = useTranslation();
  const update = useApiMutation(paths.update, { quiet: true });
  const archive = useApiMutation(paths.setArchived);
  const form = useForm({
    initialValues: { title: path.title, description: path.description },
    validate: { title: (title) => (title.trim() ? null : t("paths.noTitle")) },
  });
  const { failure, attempt } = useFormErrors(form.setErrors, { fields: ["title", "description"] });
  const params = { id: path.id };
  const send = async (version: number) => {
    const saved = await update.mutateAsync({ params, body: { ...form.values, version } });
    form.resetDirty({ title: saved.title, description: saved.description });
    toast.done(t("paths.settings.saved"));
  };
  const save = (version: number): Promise<void> =>
    attempt(
      async () => {
        if (!form.validate().hasErrors) await send(version);
      },
      (error) => conflict.handleError(error, form.values),
    );
  const conflict = useConflict<PathDetail>({
    labels: { title: t("paths.fields.title"), description: t("paths.fields.description") },
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: ({ title, description }) => {
      form.setValues({ title, description });
      form.resetDirty({ title, description });
    },
  });
  const isArchived = path.status === "archived";
  const setArchived = async () => {
    await archive.mutateAsync({ params, body: { archived: !isArchived, version: path.version } });
    toast.done(t(isArchived ? "paths.settings.restored" : "paths.settings.archived"));
  };
  return (
    <div className={classes.settingsTab}>
      <UnsavedGuard when={form.isDirty()} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(path.version);
        }}
      >
        <TextInput
          label={t("paths.fields.title")}
          maxLength={120}
          autoComplete="off"
          {...form.getInputProps("title")}
        />
        <Textarea
          label={t("paths.fields.description")}
          description={t("paths.fields.descriptionHint")}
          maxLength={1000}
          autosize
          minRows={3}
          {...form.getInputProps("description")}
        />
        {failure !== null && failure !== undefined && (
          <p role="alert" className={classes.refusal}>
            {messageOf(failure)}
          </p>
        )}
        <Group>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            {t("paths.settings.save")}
          </Button>
        </Group>
      </form>
      {path.live !== null && path.publishedAt && (
        <p className={classes.hint}>
          {t("paths.settings.publishedLine", {
            no: path.live,
            day: formatDate(path.publishedAt),
            name: path.publishedBy,
          })}
        </p>
      )}
      <Section title={t(isArchived ? "paths.settings.restore" : "paths.settings.archive")}>
        <p className={classes.hint}>{t("paths.settings.archiveText")}</p>
        <Button variant="default" loading={archive.isPending} onClick={() => void setArchived().catch(() => {})}>
          {t(isArchived ? "paths.settings.restore" : "paths.settings.archive")}
        </Button>
      </Section>
      {conflict.dialog}
    </div>
  );
}
