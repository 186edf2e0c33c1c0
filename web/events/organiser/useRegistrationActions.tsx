import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CancelPeopleDialog } from "#web/events/organiser/CancelPeopleDialog.tsx";
import { OfferDialog } from "#web/events/organiser/OfferDialog.tsx";
import { InviteGuestsDialog } from "#web/events/organiser/InviteGuestsDialog.tsx";
import { RejectDialog } from "#web/events/organiser/RejectDialog.tsx";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

export type RegistrationActions = ReturnType<typeof useRegistrationActions>;
type OpenDialog = {
  kind: "reject" | "cancel" | "invite" | "offer";
  people: Registration[];
  done: () => void;
  opened: boolean;
};
const idsOf = (people: Registration[]) => people.map(({ id }) => id);

/** All actions on one or more registrations. `done` is called after a success. Render `dialogs` in the page. */
export function useRegistrationActions(event: AdminEvent) {
  const { t } = useTranslation();
  const { id } = event;
  const params = { id };
  const approving = useApiMutation(eventRegistrations.approve);
  const checking = useApiMutation(eventRegistrations.checkIn);
  const undoing = useApiMutation(eventRegistrations.undoCheckIn);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const openDialog = (kind: OpenDialog["kind"]) => (people: Registration[], done: () => void) =>
    setDialog({ kind, people, done, opened: true });
  const close = () => setDialog((current) => current && { ...current, opened: false });

  const dialogProps = {
    people: dialog?.people ?? [],
    opened: dialog?.opened ?? false,
    onClose: close,
    onDone: dialog?.done ?? (() => {}),
    eventId: id,
  };
  const dialogOf = (kind: OpenDialog["kind"]) => {
    switch (kind) {
      case "offer":
        return <OfferDialog key={idsOf(dialogProps.people).join()} {...dialogProps} event={event} />;
      case "reject":
        return <RejectDialog {...dialogProps} />;
      case "cancel":
        return <CancelPeopleDialog {...dialogProps} />;
      case "invite":
        return <InviteGuestsDialog {...dialogProps} />;
    }
  };
  return {
    approve: async (people: Registration[], done: () => void) => {
      const reply = await approving.mutateAsync({ params, body: { ids: idsOf(people) } }).catch(() => null);
      if (!reply) return;
      toast.done(
        t("events.registrations.approved", { count: reply.changed }),
        reply.waitlisted > 0 ? { text: t("events.registrations.approvedWaiting", { count: reply.waitlisted }) } : {},
      );
      done();
    },
    checkIn: async (row: Registration) => {
      const reply = await checking.mutateAsync({ params: { id: row.id }, body: {} }).catch(() => null);
      if (reply)
        toast.done(t(`events.checkIn.${reply.outcome}`, { name: row.name }), {
          action: {
            label: t("core.undo"),
            run: () => void undoing.mutateAsync({ params: { id: row.id } }).catch(() => {}),
          },
        });
    },
    undoCheckIn: async (row: Registration) => {
      const reply = await undoing.mutateAsync({ params: { id: row.id } }).catch(() => null);
      if (reply) toast.done(t("events.registrations.checkInUndone", { name: row.name }));
    },
    offerSeats: openDialog("offer"),
    reject: openDialog("reject"),
    cancel: openDialog("cancel"),
    invite: openDialog("invite"),
    dialogs: dialog && dialogOf(dialog.kind),
  };
}
