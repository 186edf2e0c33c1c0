import { randomInt } from "node:crypto";
import { readCompany, updateVersioned } from "#server/companies/companyRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { CODE_ALPHABET, CODE_LENGTH, type companies } from "#shared/companies/companies.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** A new random access code without look-alike characters. */
export const createAccessCode = () =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");

/** Replaces the access code. The old one works for `graceDays` more, so that printed posters stay valid for a while. */
export async function rotateCode(
  ctx: Ctx<User>,
  id: string,
  { graceDays, version }: BodyOf<typeof companies.rotateCode>,
) {
  const { accessCode } = await readCompany(ctx, id);
  const previousCodeUntil = graceDays > 0 ? new Date(Date.now() + graceDays * 86_400_000).toISOString() : null;
  return updateVersioned(
    ctx,
    id,
    version,
    {
      accessCode: createAccessCode(),
      previousCode: previousCodeUntil ? accessCode : null,
      previousCodeUntil,
      codeUsedCount: 0,
    },
    "companies.code",
    { graceDays },
  );
}
