import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { passedOver } from "#web/events/organiser/passedOver.ts";
import { namesOf, type PeopleDialog } from "#web/events/organiser/peopleDialog.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import type { AdminEvent } from "#shared/eventViews.ts";

/** Offers seats to people of the waiting list: says who is ahead of them, and beyond the seats only when that is ticked. */
export function OfferDialog({ event, people, opened, onClose, onDone }: PeopleDialog & { event: AdminEvent }) {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  const [short, setShort] = useState(false);
  const offer = useApiMutation(eventRegistrations.offerSeats, { alsoInvalidate: ["events"], quiet: true });
  const [only] = people;
  const name = only ? only.name || only.reference : "";
  const count = passedOver(people);
  const free = freeFor(event, people);
  const lacks = short || free < people.length;
  const submit = async () => {
    const reply = await offer
      .mutateAsync({ params: { id: event.id }, body: { ids: people.map(({ id }) => id), overCapacity: over } })
      .catch(() => null);
    if (!reply) return;
    if (reply.offered > 0) toast.done(t("events.registrations.promoted", { count: reply.offered }));
    // Somebody else took the seats meanwhile: the box to go over capacity appears.
    if (reply.full > 0) return setShort(true);
    onClose();
    onDone();
  };
  const one = people.length === 1;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={
        one
          ? t("events.registrations.offerTitle", { name })
          : t("events.registrations.offerTitleMany", { count: people.length })
      }
      submitLabel={
        one ? t("events.registrations.promote") : t("events.registrations.promoteMany", { count: people.length })
      }
      cancelLabel={t("events.registrations.keepWaiting")}
      busy={offer.isPending}
      disabled={lacks && !over && free <= 0}
      failure={offer.error}
      onSubmit={submit}
    >
      {!one && <Text>{namesOf(people)}.</Text>}
      <Text>
        {one
          ? count > 0
            ? t("events.registrations.ahead", { count, name })
            : t("events.registrations.firstInLine", { name })
          : t("events.registrations.passedOver", { count })}
      </Text>
      <Text>{t("events.registrations.offerText", { count: Math.max(1, Math.round(event.offerMinutes / 60)) })}</Text>
      {lacks && (
        <Checkbox
          size="sm"
          label={t("events.registrations.overCapacity")}
          description={t("events.registrations.freeSeats", { count: Math.max(0, short ? 0 : free) })}
          checked={over}
          onChange={(change) => setOver(change.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

/** Seats that these people could have; of a hybrid event the fewer of both kinds. */
function freeFor({ attendanceMode, capacity, capacityOnline, counts }: AdminEvent, people: PeopleDialog["people"]) {
  const room = capacity === null ? Infinity : capacity - counts.seatsTaken;
  const online = capacityOnline === null ? Infinity : capacityOnline - counts.seatsTakenOnline;
  if (attendanceMode !== "hybrid") return room;
  return Math.min(
    people.some(({ attendance }) => attendance === "in_person") ? room : Infinity,
    people.some(({ attendance }) => attendance === "online") ? online : Infinity,
  );
}
