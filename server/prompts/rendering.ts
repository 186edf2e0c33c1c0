import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { TEMPLATE_WORDS } from "#server/variables/templates.ts";
import { readTemplateValues } from "#server/variables/templateValues.ts";
import { knownKeys, type PromptPurpose, runtimeKeys } from "#shared/prompts/prompts.ts";
import {
  isBuiltIn,
  keysOfTemplate,
  renderTemplate,
  templateText,
  type TemplateValue,
} from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";

/** The learner and course whose values fill the placeholders; null for none. */
export type Sample = { userId: string | null; courseId: string | null };

/** Maximum value of a placeholder in a prompt, in characters; longer ones are truncated. */
const MAX_VALUE_CHARS = 8000;

/** The company of a sample learner in the scope of the user; null without a learner, 404 for one of another company. */
export async function companyOfSample({ db, user }: Ctx<User>, { userId }: Sample): Promise<string | null> {
  if (userId === null) return null;
  const learner = await db
    .selectFrom("users")
    .where("id", "=", userId)
    .where("companyId", "is not", null)
    .where(inScope(user, { company: "companyId", person: "id" }))
    .select("companyId")
    .executeTakeFirstOrThrow(notFound);
  return learner.companyId;
}

/** The values of the placeholders of a text for a model. `runtime`: values that only the caller has. */
async function readValues(ctx: Ctx<User>, body: string, sample: Sample, runtime: Record<string, string>) {
  const companyId = await companyOfSample(ctx, sample);
  const origin = { ...sample, companyId: companyId ?? "", attemptId: null, reader: "model" as const };
  const values = companyId ? await readTemplateValues(ctx.db, [body], origin) : new Map<string, TemplateValue>();
  for (const [key, value] of Object.entries(runtime)) values.set(key, { value, type: "text", unit: "" });
  for (const [key, found] of values)
    if (typeof found.value === "string" && found.value.length > MAX_VALUE_CHARS)
      values.set(key, { ...found, value: found.value.slice(0, MAX_VALUE_CHARS) });
  return values;
}

/** A prompt with the values of a learner in it. */
export async function renderPrompt(ctx: Ctx<User>, body: string, sample: Sample, runtime: Record<string, string> = {}) {
  const values = await readValues(ctx, body, sample, runtime);
  return renderTemplate(body, values, { ...TEMPLATE_WORDS, target: "plain" });
}

/** The value of each placeholder of a text. */
export async function resolveKeys(ctx: Ctx<User>, body: string, purpose: PromptPurpose, sample: Sample) {
  const [values, variables] = [await readValues(ctx, body, sample, {}), await usableKeys(ctx)];
  return keysOfTemplate(body).map((key) => {
    const found = values.get(key);
    return {
      key,
      value: found ? templateText(found, { booleans: TEMPLATE_WORDS.booleans }) : null,
      source: sourceOf(key, purpose, variables),
    };
  });
}

function sourceOf(key: string, purpose: PromptPurpose, variables: Set<string>) {
  if (isBuiltIn(key)) return "builtIn" as const;
  if (runtimeKeys[purpose].includes(key)) return "runtime" as const;
  return variables.has(key) ? ("variable" as const) : ("unknown" as const);
}

async function usableKeys({ db }: Ctx<User>) {
  const rows = await db
    .selectFrom("variables")
    .where("status", "=", "active")
    .where("usableInPrompts", "=", true)
    .select("key")
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Throws 422 if a text has a placeholder without a source: learners would see a gap. */
export async function checkPlaceholders(ctx: Ctx<User>, body: string, purpose: PromptPurpose) {
  const knownPlaceholders = new Set([...knownKeys(purpose), ...(await usableKeys(ctx))]);
  const unknown = keysOfTemplate(body).filter((key) => !knownPlaceholders.has(key));
  if (unknown.length === 0) return;
  const values = { keys: unknown.join(", ") };
  const problem = new Problem(422, "prompts.unknownKey", { values });
  throw new Problem(422, "core.invalid", {
    issues: [{ path: "body", code: "prompts.unknownKey", message: problem.message }],
  });
}
