import type { ExpectedOutcome } from "#web/events/registration/expectedOutcome.ts";
import type { Answers } from "#shared/eventQuestions.ts";
import type { RegistrationState } from "#shared/eventStates.ts";

// What a visitor typed, and what came of it: in this tab only, gone when it closes

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
  ending?: ExpectedOutcome;
};

const draftKey = (slug: string) => `event-draft:${slug}`;
const outcomeKey = (slug: string) => `event-registered:${slug}`;

export const storeDraft = (slug: string, draft: Draft) => write(draftKey(slug), draft);
export const readDraft = (slug: string) => read<Draft>(draftKey(slug));
/** The form is done: what was typed goes, what came of it stays for a reload of the success page. */
export function storeOutcome(slug: string, outcome: Outcome) {
  write(outcomeKey(slug), outcome);
  try {
    sessionStorage.removeItem(draftKey(slug));
  } catch {
    // No storage: nothing was kept.
  }
}
export const readOutcome = (slug: string) => read<Outcome>(outcomeKey(slug));

function write(key: string, value: unknown) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // No storage, or full: a reload begins anew.
  }
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}
