import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { saveDesign } from "#server/certificates/designs/designs.ts";
import { pathOf } from "#server/certificates/subjects.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { demoDesign } from "#server/demo/demoCertificates.ts";
import { assignPath } from "#server/paths/people.ts";
import { publishPath } from "#server/paths/publishing.ts";
import { createPath } from "#server/paths/service.ts";
import { fieldsOf } from "#shared/certificates/designs.ts";
import type { User } from "#shared/core/users.ts";
import { pathInput } from "#shared/paths/paths.ts";

/** Days since the people of the demo joined the path. */
const JOINED_DAYS_AGO = 50;

type Demo = { phishingId: string; heightsId: string; conversationsId: string; learners: User[] };

/** A path that some people have completed, and others are on. */
export async function addPath(ctx: Ctx<User>, { phishingId, heightsId, conversationsId, learners }: Demo) {
  const [first, second, last] = [randomUUID(), randomUUID(), randomUUID()];
  const { id, version } = await createPath(
    ctx,
    pathInput.parse({
      title: "Ready for the tower",
      description: "What you need before you work on the towers of Norrvik Energi, in the order that helps most.",
      steps: [
        { id: first, courseIds: [phishingId] },
        { id: second, courseIds: [conversationsId], after: [first], dueDays: 45 },
        { id: last, courseIds: [heightsId], after: [second], dueDays: 90 },
      ],
    }),
  );
  const content = demoDesign("completed the learning path", [...fieldsOf.path], 24);
  await saveDesign(ctx, pathOf(id), { enabled: true, version: null, content });
  await publishPath(ctx, id, { version, people: "keep" });
  const userIds = learners.map((learner) => learner.id);
  await assignPath(ctx, id, { userIds, companyIds: [], groupIds: [], notify: false });
  await sql`
    update path_enrolments
    set joined_at = joined_at - make_interval(days => ${JOINED_DAYS_AGO}),
      joined_on = joined_on - ${JOINED_DAYS_AGO}::integer
    where path_id = ${id}`.execute(ctx.db);
}
