import { Readable } from "node:stream";
import { exportRows, FileAnswer } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { drawTranscript } from "#server/transcripts/pdf.ts";
import { linkOf } from "#server/transcripts/links.ts";
import { readOwn } from "#server/transcripts/service.ts";
import { readSettings } from "#server/settings/service.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { transcriptColumns } from "#shared/transcripts/transcriptFile.ts";
import type { transcripts } from "#shared/transcripts/transcripts.ts";

export async function sendTranscript(ctx: Ctx<User>, id: string, { format }: QueryOf<typeof transcripts.file>) {
  const { facts, digest } = await readOwn(ctx, id);
  if (format === "json")
    return new FileAnswer(
      `${facts.number}.json`,
      "application/json; charset=utf-8",
      Readable.from([`${JSON.stringify({ facts, sha256: digest }, null, 2)}\n`]),
      facts.entries.length,
    );
  return exportRows(
    facts.number,
    format,
    Readable.from([facts.entries]),
    transcriptColumns(facts),
    facts.entries.length,
  );
}

export async function sendTranscriptPdf(ctx: Ctx<User>, id: string) {
  const { facts, digest, lastDay, linkNo } = await readOwn(ctx, id);
  const { academyName } = await readSettings(ctx.db);
  const link = lastDay === null ? null : { url: linkOf(ctx.config, id, linkNo), lastDay };
  const body = await drawTranscript({ facts, digest, link, academy: academyName });
  return new FileAnswer(`${facts.number}.pdf`, "application/pdf", body, facts.entries.length);
}
