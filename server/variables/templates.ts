import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { readTemplateValues, type TemplateOrigin } from "#server/variables/templateValues.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { renderTemplate, type TemplateTarget } from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";
import type { variables } from "#shared/variables/variables.ts";

/** The words for a missing value, yes and no, until texts in other languages exist. */
export const TEMPLATE_WORDS = { notAvailable: "not available", booleans: ["yes", "no"] } as const;

/** A template, filled with the values of a learner or, without one, with those that everybody shares. */
export async function resolveTemplate(db: Db, template: string, origin: TemplateOrigin | null, target: TemplateTarget) {
  const values = await readTemplateValues(db, [template], origin);
  return renderTemplate(template, values, { ...TEMPLATE_WORDS, target });
}

/** The text of a template for a learner, as an admin may see it: sensitive values count as missing. */
export async function previewTemplate(
  ctx: Ctx<User>,
  { text, userId, courseId, target }: BodyOf<typeof variables.preview>,
) {
  const learner = await ctx.db
    .selectFrom("users")
    .where("id", "=", userId)
    .where("companyId", "is not", null)
    .where(inScope(ctx.user, { company: "companyId", person: "id" }))
    .select(["id", "companyId"])
    .executeTakeFirst();
  if (!learner?.companyId) throw notFound();
  const origin = { userId, companyId: learner.companyId, courseId, attemptId: null, reader: "admin" as const };
  return resolveTemplate(ctx.db, text, origin, target);
}
