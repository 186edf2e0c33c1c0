import { record } from "#server/audit/service.ts";
import { auditedAs } from "#server/certificates/subjects.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { User } from "#shared/core/users.ts";

type Exported = { personId: string | null; companyId: string; courseId: string | null; pathId: string | null };

/** Records the download of a certificate by anyone but its holder. */
export async function recordExport(ctx: Ctx<User>, { personId, companyId, ...stored }: Exported, format: string) {
  if (personId === ctx.user.id) return;
  await record(ctx.db, ctx, {
    action: "certificates.export",
    ...(personId && { people: [personId] }),
    companyId,
    ...auditedAs(stored),
    details: { format },
  });
}
