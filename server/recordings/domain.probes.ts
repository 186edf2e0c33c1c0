import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { db }, company, learner, session: { sessionId }, tag }) {
    await db
      .insertInto("recordings")
      .values({ sessionId, userId: learner.user.id, companyId: company.id, chunks: 1 })
      .execute();
    await db
      .insertInto("recordingChunks")
      .values({ sessionId, number: 0, body: Buffer.from(`Recording ${tag}`) })
      .execute();
    return { writes: { "recordings.remove": { id: company.id } } };
  },
};
