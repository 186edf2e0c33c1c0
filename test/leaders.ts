import { learners } from "#shared/learners/learners.ts";
import type { Company } from "#shared/companies/companies.ts";
import type { Person, start } from "#test/start.ts";

type Server = Pick<Awaited<ReturnType<typeof start>>, "as" | "make">;

/** A new learner of the company who leads another new one. */
export async function addLeader(
  { as, make }: Server,
  { manager, company }: { manager: Person; company: Pick<Company, "accessCode"> },
) {
  const leader = await make.learner(company.accessCode, "Lena Leader");
  const led = await make.learner(company.accessCode, "Leif Led");
  await as(manager)(learners.setManager, { body: { ids: [led.user.id], managerId: leader.user.id } });
  return leader;
}
