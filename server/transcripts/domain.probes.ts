import { digestOf } from "#server/transcripts/digest.ts";
import type { Probes } from "#test/probes.ts";
import { type TranscriptFacts, transcripts } from "#shared/transcripts/transcripts.ts";

export const probes: Probes = {
  async fill({ server: { as, db }, learner, company, tag }) {
    const facts: TranscriptFacts = {
      format: "lyceum-transcript-1",
      number: `TR-${tag.slice(0, 4)}-${tag.slice(-4)}`.toUpperCase(),
      issuer: company.name,
      holder: `Holder ${tag}`,
      issuedAt: "2026-03-29T10:00:00.000Z",
      zone: "UTC",
      withScores: true,
      withTimes: true,
      total: 0,
      entries: [],
    };
    const { id } = await db
      .insertInto("transcripts")
      .values({
        number: facts.number,
        companyId: company.id,
        personId: learner.user.id,
        facts: JSON.stringify(facts),
        sources: "[]",
        digest: digestOf(facts),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await as(learner)(transcripts.share, { params: { id }, body: { days: 30 } });
    return {
      marks: [id, facts.number, facts.holder],
      writes: {
        "transcripts.share": { id, body: { days: 7 } },
        "transcripts.unshare": { id },
        "transcripts.remove": { id },
      },
    };
  },
  withoutCompany: ["transcripts.issue"],
};
