import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, del, get, listQuery, page, post, put } from "#shared/core/route.ts";
import { isAdmin, userStatus } from "#shared/core/users.ts";

// Who leads whom in a company: the managers, who stands in for them, and whether they see their people

/** The longest time, in days, for which a deputy stands in for a manager. */
export const MAX_DEPUTY_DAYS = 366;
/** Names of a chain that an error lists; of a longer one, the first and the last. */
export const MAX_CHAIN = 12;

const deputy = z.object({
  id: z.uuid(),
  deputyId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  fromDay: z.string(),
  untilDay: z.string(),
});

export const managerRow = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  status: userStatus,
  /** People whom the person leads without another manager in between. */
  direct: z.int(),
  /** The manager of the manager, if any. */
  managerId: z.uuid().nullable(),
  manager: z.string().nullable(),
  /** The right given to this person alone; `endsOn` is its last day. */
  right: z.object({ endsOn: z.string().nullable(), givenBy: z.string().nullable() }).nullable(),
  /** Those who stand in now or later. */
  deputies: z.array(deputy).max(50),
});
export type ManagerRow = z.infer<typeof managerRow>;

// Who may do what

export const canSetManagers = isAdmin;

// Endpoints

export const managers = defineContracts("managers", {
  list: get("/api/companies/:id/managers", {
    does: "List the managers of a company by name, with their deputies and rights",
    query: listQuery.omit({ sort: true }),
    reply: page(managerRow).extend({
      /** Whether managers of the company see their people without a right of their own. */
      seePeople: z.boolean(),
      /** Learners of the company without a manager. */
      withoutManager: z.int(),
    }),
  }),
  allow: put("/api/companies/:id/managers/access", {
    does: "Choose whether the managers of a company see the people they lead",
    body: z.object({ seePeople: z.boolean() }),
    reply: z.object({ seePeople: z.boolean() }),
  }),
  addDeputy: post("/api/managers/:id/deputies", {
    does: "Let a person of the same company stand in for a manager, until the end of a day",
    body: z.object({ deputyId: z.uuid(), fromDay: day, untilDay: day }),
    reply: deputy,
  }),
  removeDeputy: del("/api/deputies/:id", { does: "End the time of a deputy" }),
  give: put("/api/managers/:id/right", {
    does: "Let one manager see the people they lead, until the end of a day or without an end",
    body: z.object({ endsOn: day.nullable() }),
  }),
  take: del("/api/managers/:id/right", { does: "Take back the right that was given to one manager" }),
});
