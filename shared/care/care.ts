import { z } from "zod";
import { del, defineContracts, get, put } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Who is told when somebody seems to write about self-harm, violence or harassment to a chatbot. Nobody is, until a
// company has named them, why they are told, and when they look.

/** Days for which it is known that a message raised an alert. */
export const ALERT_DAYS = 30;
export const MAX_PEOPLE = 10;

/** The id of a company, or `visitors` for people without a company. */
const params = z.object({ id: z.union([z.uuid(), z.literal("visitors")]) });
const text = (max: number) => z.string().trim().min(1).max(max);
const settings = {
  /** Why they are told, as learners read it. */
  purpose: text(300),
  /** When they look, as learners read it. */
  hours: text(200),
  /** A connection whose moderation model reads messages as well; its verdict adds alerts. */
  connectorId: z.uuid().nullable(),
  model: z.string().trim().max(200),
};
export const careInput = z.object({
  ...settings,
  personIds: z.array(z.uuid()).min(1).max(MAX_PEOPLE),
  /** The version that the input is based on; 0 if there was none. */
  version: z.int().min(0),
});
export type CareInput = z.infer<typeof careInput>;

export const careSettings = z.object({
  ...settings,
  purpose: z.string(),
  hours: z.string(),
  people: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Somebody is told: at least one of the people is active. */
  isOn: z.boolean(),
  version: z.int(),
  /** Admins who may be named, and connections with a moderation model. */
  choices: z.object({
    people: z.array(z.object({ id: z.uuid(), name: z.string() })),
    connectors: z.array(z.object({ id: z.uuid(), name: z.string() })),
  }),
});
export type CareSettings = z.infer<typeof careSettings>;

/** What people read before they write; null if nobody is told. */
export const careNotice = z.object({ people: z.array(z.string()), purpose: z.string(), hours: z.string() }).nullable();
export type CareNotice = z.infer<typeof careNotice>;

export const canManageCare = isAdmin;
export const care = defineContracts("care", {
  get: get("/api/care/:id", { does: "Get who is told about calls for help", params, reply: careSettings }),
  set: put("/api/care/:id", {
    does: "Name who is told about calls for help, why, and when they look; 409 if it changed since `version`",
    params,
    body: careInput,
    reply: careSettings,
  }),
  remove: del("/api/care/:id", { does: "Tell nobody about calls for help any more", params }),
});
