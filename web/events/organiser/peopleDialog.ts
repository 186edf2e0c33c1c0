import type { Registration } from "#shared/events/registrationRows.ts";

/** Props of dialogs about selected people. */
export type PeopleDialog = {
  eventId: string;
  people: Registration[];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
};
/** The names of the first three people. */
export const namesOf = (people: Registration[]) =>
  people
    .map(({ name, reference }) => name || reference)
    .slice(0, 3)
    .join(", ") + (people.length > 3 ? " …" : "");
