import type { PersonalDataRegistry } from "#server/core/domains/registry.ts";
import type { Mount } from "#server/core/http/http.ts";
import { Problem } from "#server/core/http/problem.ts";
import { exportPerson } from "#server/privacy/export.ts";
import { erasePerson, previewErasure } from "#server/privacy/erasure.ts";
import { canRequestData, canErase, canPreviewErasure, privacy } from "#shared/privacy/privacy.ts";
import type { User } from "#shared/core/users.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

export function privacyRoutes(on: Mount, { registry }: { registry: PersonalDataRegistry }) {
  on(privacy.preview, canPreviewErasure, (call) => previewErasure(call, registry, call.query.userId));
  on(privacy.export, canRequestData, async (call, { reply }) => {
    const user = signedIn(call.user, "privacy.exportSignedOut");
    const stream = await exportPerson({ ...call, user }, registry.sections, call.query.userId).catch(
      rethrowAs(call.log, "privacy.exportFailed"),
    );
    reply
      .header("content-disposition", `attachment; filename="my-data-${new Date().toISOString().slice(0, 10)}.json"`)
      .header("cache-control", "no-store");
    return stream;
  });
  on(privacy.erase, canErase, (call) => {
    const user = signedIn(call.user, "privacy.eraseSignedOut");
    return erasePerson({ ...call, user }, registry, call.body.userId).catch(rethrowAs(call.log, "privacy.eraseFailed"));
  });
}

function signedIn(user: User | null, code: ErrorCode): User {
  if (!user) throw new Problem(401, code);
  return user;
}

/** Passes on problems; logs any other error and throws a 500 with the given code. */
const rethrowAs = (log: { error: (facts: object, text: string) => void }, code: ErrorCode) => (error: unknown) => {
  if (error instanceof Problem) throw error;
  log.error({ err: error }, code);
  throw new Problem(500, code);
};
