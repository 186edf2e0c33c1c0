import type { Registration } from "#shared/eventRegistrations.ts";

/** What the dialogs about chosen people get. */
export type PeopleDialog = {
  eventId: string;
  people: Registration[];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
};
/** One by name, several by number. */
export const namesOf = (people: Registration[]) =>
  people
    .map(({ name, reference }) => name || reference)
    .slice(0, 3)
    .join(", ") + (people.length > 3 ? " …" : "");
