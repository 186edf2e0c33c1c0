import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { listConsents, type ConsentEvidence, recordConsent } from "#server/consent/service.ts";
import type { Mount } from "#server/core/http/http.ts";
import { instant } from "#shared/core/dates.ts";
import { CONSENT_HEADERS, canRecordConsent, consents, consentVia } from "#shared/consent/consent.ts";

export function consentRoutes(on: Mount) {
  on(consents.record, canRecordConsent, (call, { request }) => recordConsent(call, call.body, evidenceOf(request)));
  on(consents.list, canRecordConsent, (call) => listConsents(call, call.query));
}

/** The headers are optional: missing or malformed ones are ignored. */
function evidenceOf({ headers }: FastifyRequest): ConsentEvidence {
  const header = <S extends z.ZodType>(name: string, schema: S) => schema.safeParse(headers[name]).data ?? null;
  return {
    consentId: header(CONSENT_HEADERS.id, z.uuid()),
    textHash: header(CONSENT_HEADERS.text, z.string().regex(/^[0-9a-f]{64}$/)),
    decidedAt: header(CONSENT_HEADERS.decidedAt, instant),
    via: header(CONSENT_HEADERS.via, consentVia),
    gpc: headers[CONSENT_HEADERS.gpc] === "1",
    userAgent: headers["user-agent"] ?? "",
  };
}
