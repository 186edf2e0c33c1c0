import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { chainText, findCycle, lockManagers, storeManagers } from "#server/managers/relation.ts";
import type { User } from "#shared/core/users.ts";

const USER_SCOPE = { company: "users.companyId", person: "users.id" };

/**
 * Sets who leads these people; null for nobody. People of another company than the manager, and the manager, stay as
 * they are. `listIds` selects them in the transaction.
 */
export const setManager = (ctx: Ctx<User>, managerId: string | null, listIds: (tx: Tx) => Promise<string[]>) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const manager = managerId === null ? null : await readManager(ctx, tx, managerId);
      const ids = await listIds(tx);
      const select = () => {
        const rows = tx
          .selectFrom("users")
          .where(isOneOf("users.id", ids))
          .where("users.role", "=", "learner")
          .where("users.companyId", "is not", null)
          .where(inScope(ctx.user, USER_SCOPE));
        return manager
          ? rows.where("users.companyId", "=", manager.companyId).where("users.id", "!=", manager.id)
          : rows;
      };
      const companies = manager
        ? [manager.companyId]
        : (await select().select("users.companyId").distinct().orderBy("users.companyId").execute()).map(
            ({ companyId }) => companyId as string,
          );
      let changed = 0;
      for (const companyId of companies) {
        await lockManagers(tx, companyId);
        const people = await select().where("users.companyId", "=", companyId).select("users.id").execute();
        const led = people.map(({ id }) => ({ userId: id, managerId }));
        const cycle = manager && (await findCycle(tx, led));
        if (cycle) throw conflict("managers.cycle", { names: cycle.names }, { chain: chainText(cycle.names) });
        const moved = await storeManagers(tx, companyId, led);
        await record(tx, ctx, { action: manager ? "managers.set" : "managers.clear", people: moved, companyId });
        changed += moved.length;
      }
      return { changed };
    }),
  );

/** A learner in the scope of the user who may lead others; a foreign id answers as one that does not exist. */
export async function readManager(ctx: Ctx<User>, tx: Tx, id: string, field = "managerId") {
  const person = await tx
    .selectFrom("users")
    .where("users.id", "=", id)
    .where("users.role", "=", "learner")
    .where("users.status", "!=", "suspended")
    .where(inScope(ctx.user, USER_SCOPE))
    .select(["users.id", "users.companyId"])
    .executeTakeFirst();
  if (!person?.companyId) throw badField(field, "managers.noSuchPerson");
  return { id: person.id, companyId: person.companyId };
}
