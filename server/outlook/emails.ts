import type { PlannedStep } from "#server/reminders/ahead.ts";
import { MAX_STEPS_NAMED, type OutlookEvent } from "#shared/outlook/outlook.ts";

type Email = Extract<OutlookEvent, { kind: "email" }>;

/** One email for each day and recipient, and what is held back. `steps` are those of one person, ordered by day. */
export function composeEmails(userId: string, steps: PlannedStep[]): OutlookEvent[] {
  const events: OutlookEvent[] = [];
  const emails = new Map<string, Email>();
  for (const { day, audience, recipient, recipientId, dropped, ...step } of steps) {
    if (dropped !== null || recipientId === null) {
      if (dropped !== null && dropped !== "merged") events.push({ kind: "held", day, audience, step, reason: dropped });
      continue;
    }
    const key = `${day} ${recipientId}`;
    let email = emails.get(key);
    if (!email) {
      email = {
        kind: "email",
        day,
        toManager: recipientId !== userId,
        recipient: recipient ?? "",
        steps: [],
        total: 0,
      };
      emails.set(key, email);
      events.push(email);
    }
    // A manager gets a step for a person without an address, and the same one as their manager.
    const isNamed = email.steps.some(({ courseId, kind }) => courseId === step.courseId && kind === step.kind);
    if (isNamed) continue;
    email.total += 1;
    if (email.steps.length < MAX_STEPS_NAMED) email.steps.push(step);
  }
  return events;
}
