import { randomUUID } from "node:crypto";
import { keyOf } from "#server/statements/identifiers.ts";
import { addStatements } from "#server/statements/store.ts";
import { storeDocument } from "#server/statements/documents.ts";
import { bodyOf, type Probes } from "#test/probes.ts";
import { statements } from "#shared/statements/statements.ts";

export const probes: Probes = {
  async fill({ server: { as, db, services }, admin, learner, company, tag }) {
    const body = { name: `Tool ${tag}`, companyId: company.id, scopes: ["all" as const] };
    const client = bodyOf(await as(admin)(statements.createClient, { body }));
    const id = randomUUID();
    const activityId = `https://example.com/${tag}`;
    const agent = { account: { homePage: services.config.publicUrl, name: learner.user.id } };
    const bytes = Buffer.from(`File ${tag}`);
    const sha2 = keyOf(tag).replaceAll("-", "").repeat(2);
    const attachment = { usageType: "a:b", display: {}, contentType: "text/plain", length: bytes.length, sha2 };
    await db.transaction().execute(async (tx) => {
      const target = { actor: agent, verb: { id: "a:b" }, object: { id: activityId, definition: { type: "a:b" } } };
      await addStatements(
        tx,
        services.config,
        company.id,
        [
          { ...target, id, attachments: [attachment] },
          { ...target, object: { objectType: "StatementRef", id } },
        ],
        { authority: agent, files: new Map([[sha2, bytes]]), defines: true },
      );
      const name = { companyId: company.id, kind: "state" as const, activityId, agent, documentId: tag };
      await storeDocument(tx, name, { contentType: "text/plain", bytes, userId: learner.user.id });
    });
    const [entry] = bodyOf(await as(admin)(statements.list, { query: { companyId: company.id } })).items;
    return {
      marks: [client.id, client.userName, body.name, id],
      writes: {
        "statements.void": { id: String(entry?.position), body: { reason: "Taken over" } },
        "statements.createClient": { body: { ...body, name: "Taken" } },
        "statements.revokeClient": { id: client.id },
      },
    };
  },
  boundedPages: [statements.list.path, statements.listClients.path],
};
