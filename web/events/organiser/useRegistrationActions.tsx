import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CancelPeopleDialog } from "#web/events/organiser/CancelPeopleDialog.tsx";
import { OfferDialog } from "#web/events/organiser/OfferDialog.tsx";
import { InviteGuestsDialog } from "#web/events/organiser/InviteGuestsDialog.tsx";
import { RejectDialog } from "#web/events/organiser/RejectDialog.tsx";
import { eventRegistrations, type Registration } from "#shared/eventRegistrations.ts";
import type { AdminEvent } from "#shared/eventViews.ts";

export type RegistrationActions = ReturnType<typeof useRegistrationActions>;
type Asked = {
  what: "reject" | "cancel" | "invite" | "offer";
  people: Registration[];
  done: () => void;
  opened: boolean;
};
const idsOf = (people: Registration[]) => people.map(({ id }) => id);

/** Approve, reject, offer a seat, cancel, check in, invite: for one or many. `done` runs when it worked. Put `dialogs` somewhere in the page. */
export function useRegistrationActions(event: AdminEvent) {
  const { t } = useTranslation();
  const { id } = event;
  const params = { id };
  const approving = useApiMutation(eventRegistrations.approve, { alsoInvalidate: ["events"] });
  const checking = useApiMutation(eventRegistrations.checkIn);
  const undoing = useApiMutation(eventRegistrations.undoCheckIn);
  const [asked, setAsked] = useState<Asked | null>(null);
  const asking = (what: Asked["what"]) => (people: Registration[], done: () => void) =>
    setAsked({ what, people, done, opened: true });
  const close = () => setAsked((now) => now && { ...now, opened: false });

  const all = {
    people: asked?.people ?? [],
    opened: asked?.opened ?? false,
    onClose: close,
    onDone: asked?.done ?? (() => {}),
    eventId: id,
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
    undo: async (row: Registration) => {
      const reply = await undoing.mutateAsync({ params: { id: row.id } }).catch(() => null);
      if (reply) toast.done(t("events.registrations.checkInUndone", { name: row.name }));
    },
    promote: asking("offer"),
    reject: asking("reject"),
    cancel: asking("cancel"),
    invite: asking("invite"),
    dialogs:
      asked &&
      (asked.what === "offer" ? (
        <OfferDialog key={idsOf(asked.people).join()} {...all} event={event} />
      ) : asked.what === "reject" ? (
        <RejectDialog {...all} />
      ) : asked.what === "cancel" ? (
        <CancelPeopleDialog {...all} />
      ) : (
        <InviteGuestsDialog {...all} />
      )),
  };
}
