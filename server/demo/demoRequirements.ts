import type { Ctx } from "#server/core/http/http.ts";
import { createRequirement } from "#server/requirements/service.ts";
import type { User } from "#shared/core/users.ts";
import { requirementTerms } from "#shared/requirements/requirements.ts";

type Demo = { companyId: string; phishingId: string; conversationsId: string; heightsId: string };

/** What the company requires, for as long as the certificates of the courses are valid. */
export async function addRequirements(ctx: Ctx<User>, { companyId, phishingId, conversationsId, heightsId }: Demo) {
  for (const [courseId, months] of [
    [phishingId, 12],
    [conversationsId, null],
    [heightsId, 24],
  ] as const)
    await createRequirement(ctx, companyId, { courseId, terms: requirementTerms.parse({ months }) });
}
