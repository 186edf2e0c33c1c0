import { recordExport } from "#server/certificates/exports.ts";
import { readStored } from "#server/certificates/certificateRows.ts";
import { picturesOf } from "#server/certificates/designs/designs.ts";
import { drawCertificate } from "#server/certificates/pdf/certificatePdf.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import { readTitle, type Subject } from "#server/certificates/subjects.ts";
import type { Db } from "#server/core/database/db.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { certificateTexts, type Facts, sampleFacts } from "#shared/certificates/certificateTexts.ts";
import type { certificates } from "#shared/certificates/certificates.ts";
import { achievedOf, claimKey } from "#shared/certificates/proof.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Types that a PDF can contain. */
const DRAWABLE = ["image/png", "image/jpeg"];

async function readPictures(db: Db, content: DesignContent, logo: string | null) {
  const hashes = [...picturesOf(content), logo ?? ""];
  const rows = await db
    .selectFrom("certificatePictures")
    .where("hash", "in", hashes)
    .where("type", "in", DRAWABLE)
    .select(["hash", "bytes"])
    .execute();
  return new Map(rows.map(({ hash, bytes }) => [hash, bytes]));
}

const answer = (number: string, body: ReturnType<typeof drawCertificate>) =>
  new FileAnswer(`${number}.pdf`, "application/pdf", body, 1);

/** The PDF of a certificate, from what was stored when it was issued. */
export async function sendCertificate(ctx: Ctx<User>, id: string) {
  const { db, config } = ctx;
  const stored = await readStored(ctx, id);
  const { content, facts, brand, name, salt } = stored;
  if (name === null || salt === null) throw notFound();
  await recordExport(ctx, stored, "pdf");
  const { kind, title, courses, elsewhere } = achievedOf(facts);
  const page = `${config.publicUrl}/verify/${facts.number}`;
  const key = Buffer.from(claimKey(sha256, salt, "holder")).toString("base64url");
  const shown: Facts = {
    ...facts,
    course: title,
    courses: kind === "path" ? courses.length + elsewhere.length : null,
    name,
    scorePercent: stored.showsScoreToReader ? stored.scorePercent : null,
    minutes: stored.showsMinutesToReader ? stored.minutes : null,
  };
  return answer(
    facts.number,
    drawCertificate({
      content,
      texts: certificateTexts(content, shown, config.publicUrl),
      brand,
      pictures: await readPictures(db, content, brand.logo),
      address: `${page}#${key}`,
      issuedAt: new Date(stored.issuedAt),
    }),
  );
}

/** A design with the facts of no completion, for the person who designs it. */
export async function sendSample(
  { db, config }: Ctx<User>,
  subject: Subject,
  { content, name }: BodyOf<typeof certificates.sample>,
) {
  const title = await readTitle(db, subject);
  const logo = content.logo === "company" ? null : content.logo;
  return answer(
    "sample",
    drawCertificate({
      content,
      texts: certificateTexts(content, sampleFacts(subject.kind, name, title, content.months), config.publicUrl),
      brand: { color: null, logo },
      pictures: await readPictures(db, content, logo),
      address: `${config.publicUrl}/verify`,
      issuedAt: new Date(),
    }),
  );
}
