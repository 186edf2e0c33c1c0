import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { listConsents, type ConsentEvidence, recordConsent } from "#server/consent/service.ts";
import type { Mount } from "#server/core/http.ts";
import { CONSENT_HEADERS, canRecordConsent, consents, consentVia } from "#shared/consent.ts";

export function consentRoutes(on: Mount) {
  on(consents.record, canRecordConsent, (call, { request }) => recordConsent(call, call.body, evidenceOf(request)));
  on(consents.list, canRecordConsent, (call) => listConsents(call, call.query));
}

/** The headers are a help, not a condition: what is missing or malformed is left out. */
function evidenceOf({ headers }: FastifyRequest): ConsentEvidence {
  const given = <S extends z.ZodType>(name: string, schema: S) => schema.safeParse(headers[name]).data ?? null;
  return {
    consentId: given(CONSENT_HEADERS.id, z.uuid()),
    textHash: given(CONSENT_HEADERS.text, z.string().regex(/^[0-9a-f]{64}$/)),
    decidedAt: given(CONSENT_HEADERS.decidedAt, z.iso.datetime({ offset: true })),
    via: given(CONSENT_HEADERS.via, consentVia),
    gpc: headers[CONSENT_HEADERS.gpc] === "1",
    userAgent: headers["user-agent"] ?? "",
  };
}
