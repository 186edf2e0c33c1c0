import { expect } from "vitest";
import { care } from "#shared/care/care.ts";
import type { Person, start } from "#test/start.ts";

type As = Awaited<ReturnType<typeof start>>["as"];

/** Names an admin who is told about calls for help of the people of a company. */
export async function nameCarer(as: As, admin: Person, companyId: string) {
  const body = {
    purpose: "To offer help",
    hours: "Weekdays",
    personIds: [admin.user.id],
    connectorId: null,
    model: "",
    version: 0,
  };
  expect((await as(admin)(care.set, { params: { id: companyId }, body })).status).toBe(200);
}
