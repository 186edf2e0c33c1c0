import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { copyText } from "#web/core/display/copyText.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CancelEventDialog } from "#web/events/organiser/CancelEventDialog.tsx";
import { DuplicateDialog } from "#web/events/organiser/DuplicateDialog.tsx";
import type { AdminEventRow } from "#shared/eventViews.ts";
import { events } from "#shared/events.ts";

export type EventActions = ReturnType<typeof useEventActions>;
type Target = Pick<AdminEventRow, "id" | "title" | "slug" | "version">;

/** Publish, take back, cancel, archive, copy, delete. Put `dialogs` somewhere in the page. */
export function useEventActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const how = { also: ["events"], quiet: true };
  const publishing = useApiMutation(events.publish, how);
  const unpublishing = useApiMutation(events.unpublish, how);
  const archiving = useApiMutation(events.archive, how);
  const removing = useApiMutation(events.remove, how);
  const [asked, setAsked] = useState<{ what: "cancel" | "duplicate"; event: AdminEventRow; opened: boolean } | null>(
    null,
  );
  const close = () => setAsked((now) => now && { ...now, opened: false });

  /** Throws what the server refuses, so that a form can show it at its fields. */
  const publish = async ({ id, title, slug, version }: Target) => {
    await publishing.mutateAsync({ params: { id }, body: { version } });
    toast.done(t("events.actions.published", { title }), {
      action: {
        label: t("events.actions.copyLink"),
        run: () => void copyText(`${location.origin}/events/${slug}`, t("events.actions.linkCopied")),
      },
    });
  };
  const asking =
    (what: "unpublish" | "archive" | "remove", run: (event: AdminEventRow) => Promise<unknown>) =>
    (event: AdminEventRow) =>
      confirm({
        title: t(`events.dialog.${what}`, { title: event.title }),
        text: t(`events.dialog.${what}Text`),
        confirmLabel: t(`events.actions.${what}`),
        cancelLabel: t(`events.dialog.${what}Keep`),
        danger: what === "remove",
        onConfirm: async () => {
          await run(event);
          toast.done(t(`events.dialog.${what}Done`, { title: event.title }));
        },
      });
  return {
    publish,
    askPublish: (event: AdminEventRow) =>
      confirm({
        title: t("events.dialog.publish", { title: event.title }),
        text: t("events.dialog.publishText"),
        confirmLabel: t("events.actions.publish"),
        cancelLabel: t("core.cancel"),
        onConfirm: () => publish(event),
      }),
    unpublish: asking("unpublish", ({ id, version }) =>
      unpublishing.mutateAsync({ params: { id }, body: { version } }),
    ),
    archive: asking("archive", ({ id, version }) => archiving.mutateAsync({ params: { id }, body: { version } })),
    remove: asking("remove", async ({ id }) => {
      if (pathname.startsWith("/admin/events/edit")) await navigate("/admin/events");
      await removing.mutateAsync({ params: { id } });
    }),
    cancel: (event: AdminEventRow) => setAsked({ what: "cancel", event, opened: true }),
    duplicate: (event: AdminEventRow) => setAsked({ what: "duplicate", event, opened: true }),
    dialogs:
      asked &&
      (asked.what === "cancel" ? (
        <CancelEventDialog key={`c${asked.event.id}`} event={asked.event} opened={asked.opened} onClose={close} />
      ) : (
        <DuplicateDialog key={`d${asked.event.id}`} event={asked.event} opened={asked.opened} onClose={close} />
      )),
  };
}
