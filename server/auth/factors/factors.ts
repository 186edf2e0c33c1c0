import type { Db, Tx } from "#server/core/database/db.ts";

/** The second factors of a person. Recovery codes count only together with another factor. */
export async function listFactors(db: Db, userId: string): Promise<("app" | "passkey" | "recovery")[]> {
  const { app, passkey, recovery } = await db
    .selectNoFrom((e) => [
      e
        .exists(
          e
            .selectFrom("authFactors")
            .where("userId", "=", userId)
            .where("confirmedAt", "is not", null)
            .select("userId"),
        )
        .as("app"),
      e.exists(e.selectFrom("authPasskeys").where("userId", "=", userId).select("id")).as("passkey"),
      e.exists(e.selectFrom("authRecoveryCodes").where("userId", "=", userId).select("userId")).as("recovery"),
    ])
    .executeTakeFirstOrThrow();
  if (!app && !passkey) return [];
  return [
    ...(app ? ["app" as const] : []),
    ...(passkey ? ["passkey" as const] : []),
    ...(recovery ? ["recovery" as const] : []),
  ];
}

/** Removes all second factors of a person. */
export async function removeFactors(tx: Tx, userId: string) {
  for (const table of ["authFactors", "authRecoveryCodes", "authPasskeys"] as const)
    await tx.deleteFrom(table).where("userId", "=", userId).execute();
}
