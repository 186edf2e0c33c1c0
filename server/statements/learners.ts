import { sql } from "kysely";
import type { Config } from "#server/core/config.ts";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { Actor, StoredStatement } from "#shared/statements/xapi.ts";

/**
 * The company's learners that actors of statements name by their account here or by their verified email address. Keys
 * of the map are ids of statements.
 */
export async function findLearners(
  tx: Tx,
  { publicUrl }: Pick<Config, "publicUrl">,
  companyId: string,
  statements: StoredStatement[],
): Promise<Map<string, string>> {
  const accountOf = ({ account }: Actor) =>
    account?.homePage === publicUrl && isUuid(account.name) ? account.name.toLowerCase() : null;
  const emailOf = ({ mbox }: Actor) => mbox?.slice("mailto:".length).toLowerCase() ?? null;
  const ids = new Set(statements.flatMap(({ actor }) => accountOf(actor) ?? []));
  const emails = new Set(statements.flatMap(({ actor }) => emailOf(actor) ?? []));
  if (ids.size + emails.size === 0) return new Map();
  const users = await tx
    .selectFrom("users")
    .where("companyId", "=", companyId)
    .where("role", "=", "learner")
    .where((e) =>
      e.or([
        ...(ids.size > 0 ? [isOneOf("id", [...ids])] : []),
        ...(emails.size > 0
          ? [e.and([sql<boolean>`email = any(${[...emails]}::text[])`, e("emailVerified", "=", true)])]
          : []),
      ]),
    )
    .select(["id", "email"])
    .execute();
  const known = new Map(users.flatMap(({ id, email }) => [[id, id] as const, [email ?? id, id] as const]));
  return new Map(
    statements.flatMap(({ id, actor }) => {
      const userId = known.get(accountOf(actor) ?? "") ?? known.get(emailOf(actor) ?? "");
      return userId ? [[id, userId] as const] : [];
    }),
  );
}
