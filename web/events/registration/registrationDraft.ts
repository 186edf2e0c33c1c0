import { readJson, tabStorage } from "#web/core/storage/storage.ts";
import type { ExpectedOutcome } from "#web/events/registration/expectedOutcome.ts";
import type { Answers } from "#shared/events/eventQuestions.ts";
import type { RegistrationState } from "#shared/events/eventPhases.ts";

// The form input of a visitor and the result, stored in this tab only (session storage)

export type Draft = {
  name: string;
  email: string;
  company: string;
  attendance: "in_person" | "online";
  answers: Answers;
  marketingOptIn: boolean;
  accessCode: string;
};
export type Outcome = {
  next: "check_mail" | "done";
  reference: string | null;
  state: RegistrationState | null;
  email: string;
  title: string;
  sendsMail: boolean;
  expected?: ExpectedOutcome;
};

const draftKey = (slug: string) => `event-draft:${slug}`;
const outcomeKey = (slug: string) => `event-registered:${slug}`;

export const storeDraft = (slug: string, draft: Draft) => write(draftKey(slug), draft);
export const readDraft = (slug: string) => read<Draft>(draftKey(slug));
/** Deletes the form input and stores the result, for reloads of the success page. */
export function storeOutcome(slug: string, outcome: Outcome) {
  write(outcomeKey(slug), outcome);
  tabStorage.remove(draftKey(slug));
}
export const readOutcome = (slug: string) => read<Outcome>(outcomeKey(slug));

const write = (key: string, value: unknown) => tabStorage.set(key, JSON.stringify(value));
const read = <T>(key: string) => readJson(key, tabStorage) as T | null;
