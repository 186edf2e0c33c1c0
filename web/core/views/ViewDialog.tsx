import { Button, Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { formatDateIn } from "#web/core/format/format.ts";
import { browserZone } from "#web/core/format/zone.ts";
import { toast } from "#web/core/toast/toast.ts";
import { canBeMailed, rhythm, type Rhythm, type SavedView, views } from "#shared/reports/views.ts";

type Props = {
  /** Null to save a new one. */
  view: SavedView | null;
  path: string;
  /** The query of the page as it is now. */
  query: string;
  onClose: () => void;
};

/** Name, sharing and emails of a view. For a view of somebody else, only the emails can be set. */
export function ViewDialog({ view, path, query, onClose }: Props) {
  const { t } = useTranslation();
  /** The stored view: setting its emails may fail after it was saved. */
  const [stored, setStored] = useState(view);
  const options = { quiet: true } as const;
  const create = useApiMutation(views.create, options);
  const update = useApiMutation(views.update, options);
  const mail = useApiMutation(views.mail, options);
  const remove = useApiMutation(views.remove);
  const isMine = view?.isMine ?? true;
  const zone = browserZone();
  const form = useForm({
    initialValues: { name: view?.name ?? "", isShared: view?.isShared ?? false, rhythm: view?.rhythm ?? "never" },
  });
  // Errors of other fields, such as the query of a page, have no input in this form.
  const { failure, setFailure, showError } = useFormErrors(form.setErrors, { fields: Object.keys(form.values) });
  const save = async () => {
    setFailure(null);
    const { name, isShared } = form.values;
    try {
      let saved = stored;
      if (!saved) saved = await create.mutateAsync({ body: { name, isShared, path, query } });
      else if (isMine && (name !== saved.name || isShared !== saved.isShared))
        saved = await update.mutateAsync({
          params: { id: saved.id },
          body: { version: saved.version, name, isShared },
        });
      setStored(saved);
      const chosen = form.values.rhythm === "never" ? null : (form.values.rhythm as Rhythm);
      if (chosen !== saved.rhythm) await mail.mutateAsync({ params: { id: saved.id }, body: { rhythm: chosen, zone } });
      toast.done(t("views.saved", { name: saved.name }));
      onClose();
    } catch (error) {
      showError(error);
    }
  };
  const replace = async () => {
    if (!view) return;
    setFailure(null);
    try {
      await update.mutateAsync({ params: { id: view.id }, body: { version: view.version, query } });
      toast.done(t("views.replaced", { name: view.name }));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  const askToRemove = () => {
    if (!view) return;
    onClose();
    confirm({
      title: t("views.removeTitle", { name: view.name }),
      text: t("views.removeText"),
      confirmLabel: t("views.remove"),
      cancelLabel: t("core.cancel"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id: view.id } });
        toast.done(t("views.removed", { name: view.name }));
      },
    });
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={view ? t("views.change") : t("views.saveTitle")}
      submitLabel={t("views.submit")}
      onSubmit={save}
      busy={create.isPending || update.isPending || mail.isPending}
      failure={failure}
      size={440}
    >
      {isMine ? (
        <>
          <TextInput
            label={t("views.name")}
            maxLength={80}
            data-autofocus
            required
            withAsterisk={false}
            {...form.getInputProps("name")}
          />
          <Checkbox label={t("views.share")} {...form.getInputProps("isShared", { type: "checkbox" })} />
        </>
      ) : (
        <p>
          {view?.name} · {t("views.sharedBy", { name: view?.owner })}
        </p>
      )}
      {canBeMailed(path) && (
        <Select
          label={t("views.mail")}
          description={t("views.mailText", { zone })}
          allowDeselect={false}
          data={["never", ...rhythm.options].map((value) => ({
            value,
            label: t(`views.mails.${value as Rhythm | "never"}`),
          }))}
          {...form.getInputProps("rhythm")}
        />
      )}
      {view?.nextAt && <p>{t("views.next", { day: formatDateIn(view.nextAt, zone) })}</p>}
      {view && isMine && (
        <Group gap={8}>
          {query !== view.query && (
            <Button variant="default" loading={update.isPending} onClick={() => void replace()}>
              {t("views.replace")}
            </Button>
          )}
          <Button variant="subtle" color="red" onClick={askToRemove}>
            {t("views.remove")}
          </Button>
        </Group>
      )}
    </FormDialog>
  );
}
