import type { FastifyReply } from "fastify";
import { sendBadge } from "#server/badges/badges.ts";
import { didDocument } from "#server/badges/issuers.ts";
import { readStatusList } from "#server/badges/statusList.ts";
import type { Mount } from "#server/core/http/http.ts";
import { badges, canCheckBadge, canGetBadge } from "#shared/badges/badges.ts";

/** Pages of other sites check badges, too. A revocation is seen after a minute at the latest. */
const openToAll = (reply: FastifyReply) =>
  reply.headers({ "access-control-allow-origin": "*", "cache-control": "public, max-age=60" });

export function badgeRoutes(on: Mount) {
  on(badges.get, canGetBadge, (call) => sendBadge(call, call.params.id, call.query.format));
  on(badges.issuer, canCheckBadge, async (call, { reply }) => {
    const document = await didDocument(call, call.params.id);
    openToAll(reply);
    return document;
  });
  on(badges.status, canCheckBadge, async (call, { reply }) => {
    const token = await readStatusList(call, call.params.id, call.params.list);
    return openToAll(reply).type("application/vc+jwt").send(token);
  });
}
