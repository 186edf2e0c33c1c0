import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { linkOf } from "#server/auditPacks/links/token.ts";
import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { db, services }, learner, company, course, tag }) {
    const { id } = await db
      .insertInto("auditPacks")
      .values({
        number: `A-${tag}`,
        companyId: company.id,
        courseIds: [course.id],
        fromDay: "2026-01-01",
        toDay: "2026-01-31",
        asOf: sql`now()`,
        asOfDay: "2026-01-31",
        zone: "UTC",
        state: "made",
        files: "[]",
        counts: JSON.stringify({ people: 0, courses: [] }),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const link = await db
      .insertInto("auditLinks")
      .values({
        packId: id,
        label: `Auditor ${tag}`,
        mayDownload: false,
        seed: randomBytes(16).toString("hex"),
        until: sql`now() + interval '1 day'`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await db.insertInto("auditSamples").values({ linkId: link.id, no: 1, size: 1, population: 1, keys: [] }).execute();
    await db
      .insertInto("auditOpenings")
      .values({ linkId: link.id, what: "person", sampleNo: 1, personId: learner.user.id })
      .execute();
    const body = { from: "2026-01-01", to: "2026-01-31", asOf: null, courseIds: [] };
    return {
      marks: [id, `A-${tag}`, link.id, `Auditor ${tag}`, linkOf(services.config, link.id)],
      writes: {
        "auditPacks.create": { id: company.id, body },
        "auditPacks.check": { id },
        "auditPacks.link": { id, body: { label: "Another", days: 7 } },
        "auditPacks.unlink": { id: link.id },
        "auditPacks.remove": { id },
      },
    };
  },
  // By the link in its path.
  withoutCompany: ["auditPacks.draw"],
  companyRows: {
    audit_links: (company) => sql<boolean>`t.pack_id in (select id from audit_packs where company_id = ${company})`,
    audit_samples: (company) => sql<boolean>`t.link_id in (
      select audit_links.id from audit_links join audit_packs on audit_packs.id = pack_id where company_id = ${company}
    )`,
    audit_openings: (company) => sql<boolean>`t.link_id in (
      select audit_links.id from audit_links join audit_packs on audit_packs.id = pack_id where company_id = ${company}
    )`,
  },
};
