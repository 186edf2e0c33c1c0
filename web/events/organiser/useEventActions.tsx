import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { copyText } from "#web/core/display/copyText.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CancelEventDialog } from "#web/events/organiser/CancelEventDialog.tsx";
import { DuplicateDialog } from "#web/events/organiser/DuplicateDialog.tsx";
import type { AdminEventRow } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";

export type EventActions = ReturnType<typeof useEventActions>;
type Target = Pick<AdminEventRow, "id" | "title" | "slug" | "version">;

/** All actions on events. Render `dialogs` in the page. */
export function useEventActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const options = { also: ["events"], quiet: true };
  const publishing = useApiMutation(events.publish, options);
  const unpublishing = useApiMutation(events.unpublish, options);
  const archiving = useApiMutation(events.archive, options);
  const removing = useApiMutation(events.remove, options);
  const [dialog, setDialog] = useState<{ kind: "cancel" | "duplicate"; event: AdminEventRow; opened: boolean } | null>(
    null,
  );
  const close = () => setDialog((current) => current && { ...current, opened: false });

  /** Throws the errors of the server, so that a form can show them at its fields. */
  const publish = async ({ id, title, slug, version }: Target) => {
    await publishing.mutateAsync({ params: { id }, body: { version } });
    toast.done(t("events.actions.published", { title }), {
      action: {
        label: t("events.actions.copyLink"),
        run: () => void copyText(`${location.origin}/events/${slug}`, t("events.actions.linkCopied")),
      },
    });
  };
  const confirmed =
    (action: "unpublish" | "archive" | "remove", run: (event: AdminEventRow) => Promise<unknown>) =>
    (event: AdminEventRow) =>
      confirm({
        title: t(`events.dialog.${action}`, { title: event.title }),
        text: t(`events.dialog.${action}Text`),
        confirmLabel: t(`events.actions.${action}`),
        cancelLabel: t(`events.dialog.${action}Keep`),
        danger: action === "remove",
        onConfirm: async () => {
          await run(event);
          toast.done(t(`events.dialog.${action}Done`, { title: event.title }));
        },
      });
  return {
    publish,
    confirmPublish: (event: AdminEventRow) =>
      confirm({
        title: t("events.dialog.publish", { title: event.title }),
        text: t("events.dialog.publishText"),
        confirmLabel: t("events.actions.publish"),
        cancelLabel: t("core.cancel"),
        onConfirm: () => publish(event),
      }),
    unpublish: confirmed("unpublish", ({ id, version }) =>
      unpublishing.mutateAsync({ params: { id }, body: { version } }),
    ),
    archive: confirmed("archive", ({ id, version }) => archiving.mutateAsync({ params: { id }, body: { version } })),
    remove: confirmed("remove", async ({ id }) => {
      if (pathname.startsWith("/admin/events/edit")) await navigate("/admin/events");
      await removing.mutateAsync({ params: { id } });
    }),
    cancel: (event: AdminEventRow) => setDialog({ kind: "cancel", event, opened: true }),
    duplicate: (event: AdminEventRow) => setDialog({ kind: "duplicate", event, opened: true }),
    dialogs:
      dialog &&
      (dialog.kind === "cancel" ? (
        <CancelEventDialog key={`c${dialog.event.id}`} event={dialog.event} opened={dialog.opened} onClose={close} />
      ) : (
        <DuplicateDialog key={`d${dialog.event.id}`} event={dialog.event} opened={dialog.opened} onClose={close} />
      )),
  };
}
