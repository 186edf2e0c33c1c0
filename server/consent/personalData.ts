import { sql } from "kysely";
import { nullValue, ownedBy, type PersonalData, SAME_PERSON } from "#server/core/domains/personalData.ts";
import { CONSENT_RECORD_YEARS } from "#shared/consent/consent.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "consents",
      table: "consent_records",
      what: "Your cookie choices",
      fate: "keep",
      why: "Evidence of consent (GDPR Art. 7(1), 5(2)), stored under a random number without your name",
      where: ownedBy("user_id"),
      set: { user_id: nullValue, browser: nullValue },
      until: sql`(greatest(expires_at, now()) + make_interval(years => ${CONSENT_RECORD_YEARS}))::date`,
    },
  ],
  sections: [
    {
      key: "consents",
      purpose: "Evidence of cookie choices",
      basis: "Legal obligation (GDPR Art. 6(1)(c), 7(1))",
      retention: "While valid, and three more years",
      table: "consent_records",
      omit: { user_id: SAME_PERSON },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
  ],
};
