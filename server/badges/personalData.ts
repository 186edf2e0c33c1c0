import { sql } from "kysely";
import { nullValue, type Person, type PersonalData, training } from "#server/core/domains/personalData.ts";

const ofCertificates = ({ id }: Person) =>
  sql<boolean>`badges.certificate_id in (
    select certificates.id
    from certificates
    where certificates.person_id = ${id}
  )`;

export const personalData: PersonalData = {
  entries: [
    {
      key: "badges",
      table: "badges",
      what: "Badges of your certificates",
      fate: "anonymise",
      why: "The badge is deleted; whether it was revoked can still be checked by those to whom you gave it",
      where: ofCertificates,
      set: { credential: nullValue, made_at: sql`date_trunc('day', made_at)` },
    },
  ],
  sections: [
    {
      key: "badges",
      purpose: "Proving what you have learned on other sites",
      basis: training,
      retention: "Until the data is deleted; positions in public lists without any data of yours stay",
      table: "badges",
      keys: ["id"],
      where: ofCertificates,
    },
  ],
};
