import { sql } from "kysely";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { createField } from "#server/fields/definitions.ts";
import { storeFieldValues } from "#server/fields/values.ts";
import { createGroup, placePeople } from "#server/groups/service.ts";
import { groupInput } from "#shared/groups/groups.ts";
import { fieldInput } from "#shared/fields/fields.ts";
import type { User } from "#shared/core/users.ts";

const departments = ["Maintenance North", "Maintenance South", "Grid Control", "Office"];
/** The department of each learner in their order: half of them work outside. */
const departmentOf = (at: number) => departments[[0, 1, 0, 2, 3, 1, 2, 0][at % 8] ?? 3] as string;
const sites = ["Oslo", "Bergen", "Trondheim"];

/** Two fields with values for everyone, and three groups by them. Returns the one of all who work outside. */
export async function addGroups(
  ctx: Ctx<User>,
  { companyId, phishingId, learners }: { companyId: string; phishingId: string; learners: User[] },
) {
  const department = await createField(
    ctx,
    fieldInput.parse({
      companyId,
      key: "department",
      name: "Department",
      kind: "choice",
      choices: departments.map((name) => ({ name })),
      visibleTo: "learner",
    }),
  );
  const site = await createField(ctx, fieldInput.parse({ companyId, key: "site", name: "Site", kind: "text" }));
  const idOf = (name: string) => department.choices.find((choice) => choice.name === name)?.id ?? "";
  await inTransaction(ctx.db, (tx) =>
    storeFieldValues(
      tx,
      learners.flatMap(({ id }, at) => [
        { userId: id, fieldId: department.id, value: idOf(departmentOf(at)) },
        { userId: id, fieldId: site.id, value: sites[at % sites.length] ?? "Oslo" },
      ]),
      new Map([
        [department.id, "choice"],
        [site.id, "text"],
      ]),
    ),
  );
  const isIn = (name: string) => ({ kind: "field", field: department.id, is: "equal", value: idOf(name) });
  const add = (input: object) => createGroup(ctx, { companyId, ...groupInput.parse(input) });
  const maintenance = await add({
    name: "Maintenance",
    description: "Everyone who works outside.",
    rule: { match: "any", tests: [isIn("Maintenance North"), isIn("Maintenance South")] },
  });
  await add({
    name: "Maintenance without phishing training",
    rule: {
      match: "all",
      tests: [
        { kind: "group", group: maintenance.id, is: "member" },
        { kind: "status", is: "is", status: "active" },
        { kind: "course", course: phishingId, is: "notCompleted" },
      ],
    },
  });
  const wardens = await add({ name: "Fire wardens", description: "Two for each site." });
  await placePeople(ctx, wardens.id, {
    ids: learners.slice(0, 6).map(({ id }) => id),
    place: "in",
    until: null,
    note: "",
  });
  // They were members before the first report of the demo.
  await inTransaction(ctx.db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    await sql`
      update group_members
      set since = greatest(since - interval '60 days', (select created_at from users where users.id = person_id))
      where company_id = ${companyId}`.execute(tx);
  });
  return maintenance.id;
}
