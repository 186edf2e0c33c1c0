import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { countPassedOver } from "#web/events/organiser/countPassedOver.ts";
import { namesOf, type PeopleDialog } from "#web/events/organiser/peopleDialog.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

/** Offers seats to people on the waiting list. Shows who is passed over; exceeds the capacity only if ticked. */
export function OfferDialog({ event, people, opened, onClose, onDone }: PeopleDialog & { event: AdminEvent }) {
  const { t } = useTranslation();
  const [isOverCapacity, setOverCapacity] = useState(false);
  const [hasTooFewSeats, setTooFewSeats] = useState(false);
  const offer = useApiMutation(eventRegistrations.offerSeats, { quiet: true });
  const [first] = people;
  const name = first ? first.name || first.reference : "";
  const count = countPassedOver(people);
  const free = freeFor(event, people);
  const needsOverCapacity = hasTooFewSeats || free < people.length;
  const submit = async () => {
    const reply = await offer
      .mutateAsync({
        params: { id: event.id },
        body: { ids: people.map(({ id }) => id), overCapacity: isOverCapacity },
      })
      .catch(() => null);
    if (!reply) return;
    if (reply.offered > 0) toast.done(t("events.registrations.promoted", { count: reply.offered }));
    // The seats were taken meanwhile: show the checkbox to exceed the capacity.
    if (reply.full > 0) return setTooFewSeats(true);
    onClose();
    onDone();
  };
  const isSingle = people.length === 1;
  const aheadText =
    count > 0 ? t("events.registrations.ahead", { count, name }) : t("events.registrations.firstInLine", { name });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={
        isSingle
          ? t("events.registrations.offerTitle", { name })
          : t("events.registrations.offerTitleMany", { count: people.length })
      }
      submitLabel={
        isSingle ? t("events.registrations.promote") : t("events.registrations.promoteMany", { count: people.length })
      }
      cancelLabel={t("events.registrations.keepWaiting")}
      busy={offer.isPending}
      disabled={needsOverCapacity && !isOverCapacity && free <= 0}
      failure={offer.error}
      onSubmit={submit}
    >
      {!isSingle && <Text>{namesOf(people)}.</Text>}
      <Text>{isSingle ? aheadText : t("events.registrations.passedOver", { count })}</Text>
      <Text>{t("events.registrations.offerText", { count: Math.max(1, Math.round(event.offerMinutes / 60)) })}</Text>
      {needsOverCapacity && (
        <Checkbox
          size="sm"
          label={t("events.registrations.overCapacity")}
          description={t("events.registrations.freeSeats", { count: hasTooFewSeats ? 0 : Math.max(0, free) })}
          checked={isOverCapacity}
          onChange={(change) => setOverCapacity(change.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

/** Free seats for these people; for hybrid events the smaller number of both kinds of attendance. */
function freeFor({ attendanceMode, capacity, capacityOnline, counts }: AdminEvent, people: PeopleDialog["people"]) {
  const inPerson = capacity === null ? Infinity : capacity - counts.seatsTaken;
  const online = capacityOnline === null ? Infinity : capacityOnline - counts.seatsTakenOnline;
  if (attendanceMode !== "hybrid") return inPerson;
  return Math.min(
    people.some(({ attendance }) => attendance === "in_person") ? inPerson : Infinity,
    people.some(({ attendance }) => attendance === "online") ? online : Infinity,
  );
}
