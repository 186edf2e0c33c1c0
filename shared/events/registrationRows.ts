import { z } from "zod";
import { answers } from "#shared/events/eventQuestions.ts";
import { attendance, registrationAction, registrationState } from "#shared/events/eventPhases.ts";

// Registrations as organisers see and filter them

export const registration = z.object({
  id: z.uuid(),
  reference: z.string(),
  state: registrationState,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  company: z.string(),
  attendance,
  answers,
  questionVersion: z.int(),
  userId: z.uuid().nullable(),
  source: z.enum(["web", "admin", "invite"]),
  createdAt: z.string(),
  confirmedAt: z.string().nullable(),
  offerExpiresAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  cancelledBy: z.string().nullable(),
  waitlistPosition: z.int().nullable(),
  attendedAt: z.string().nullable(),
  marketingOptIn: z.boolean(),
  purgeAt: z.string().nullable(),
  purgedAt: z.string().nullable(),
  version: z.int().min(1),
});
export type Registration = z.infer<typeof registration>;
export const registrationLog = z.object({
  at: z.string(),
  action: registrationAction,
  by: z.string(),
  detail: z.string(),
});

export const registrationFilter = z.object({
  state: registrationState.optional(),
  attended: z.boolean().or(z.stringbool()).optional(),
  attendance: attendance.optional(),
  q: z.string().trim().max(200).optional(),
});
export type RegistrationFilter = z.output<typeof registrationFilter>;
