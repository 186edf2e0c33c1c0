import type { EventValues } from "#web/events/editor/eventValues.ts";

/** The sections of the event form, in order. */
export const sections = ["basics", "when", "audience", "seats", "questions", "agenda", "speakers", "mails"] as const;
export type SectionName = (typeof sections)[number];

const sectionOfField: Record<keyof EventValues, SectionName> = {
  title: "basics",
  slug: "basics",
  summary: "basics",
  description: "basics",
  category: "basics",
  language: "basics",
  cover: "basics",
  timezone: "when",
  startsLocal: "when",
  endsLocal: "when",
  attendanceMode: "when",
  venue: "when",
  onlineUrl: "when",
  joinOpensMinutes: "when",
  visibility: "audience",
  companyId: "audience",
  accessCode: "audience",
  indexable: "audience",
  registrationMode: "seats",
  externalUrl: "seats",
  registrationOpensLocal: "seats",
  registrationClosesLocal: "seats",
  capacity: "seats",
  capacityOnline: "seats",
  waitlistEnabled: "seats",
  waitlistMode: "seats",
  offerMinutes: "seats",
  requireEmailConfirmation: "seats",
  challenge: "seats",
  modificationMode: "seats",
  questions: "questions",
  agenda: "agenda",
  speakers: "speakers",
  privacyNotice: "mails",
  retentionDays: "mails",
  organiserName: "mails",
  organiserKind: "mails",
  organiserEmail: "mails",
  reminders: "mails",
  followUpCourseId: "mails",
  followUpCompanyId: "mails",
  chatbotId: "mails",
};

/** The section of a field, by its path: `questions.2.label` is in `questions`. */
export const sectionOf = (path: string) =>
  (sectionOfField as Partial<Record<string, SectionName>>)[path.split(".")[0] ?? ""] ?? "basics";

export type SectionState = "saved" | "unsaved" | "error";
export type SectionStates = Record<SectionName, SectionState>;

/**
 * The state of every section, from the paths of the fields that have errors and the fields that differ from the stored
 * event.
 */
export function sectionStates(errors: string[], changed: string[]): SectionStates {
  const states = Object.fromEntries(sections.map((name) => [name, "saved"])) as SectionStates;
  for (const path of changed) states[sectionOf(path)] = "unsaved";
  for (const path of errors) states[sectionOf(path)] = "error";
  return states;
}
