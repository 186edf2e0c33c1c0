import { sql } from "kysely";
import {
  nullValue,
  OTHER_PERSON,
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  training,
} from "#server/core/domains/personalData.ts";

/** Certificates of a person that companies with this erasure policy have issued. */
const ofPolicy =
  (policy: "delete" | "anonymise" | "retain") =>
  ({ id }: Person) =>
    sql<boolean>`certificates.person_id = ${id}
      and certificates.company_id in (
        select companies.id
        from companies
        where companies.erasure_policy = ${policy}
      )`;
export const GROUND = "GDPR Art. 17(3)(b), (e)";
const keepUntil = sql<string>`(current_date + make_interval(years => (
  select companies.retention_years
  from companies
  where companies.id = certificates.company_id
)))::date`;
/** The person goes, and the time of the issue becomes a day. */
const withoutName = {
  person_id: nullValue,
  completion_id: nullValue,
  path_enrolment_id: nullValue,
  path_completed_at: nullValue,
  name: nullValue,
  show_name: sql`false`,
  revoked_reason: nullValue,
  issued_at: sql`date_trunc('day', issued_at)`,
  taken_back_at: sql`date_trunc('day', taken_back_at)`,
  nameless_since: sql`current_date`,
};

export const personalData: PersonalData = {
  entries: [
    {
      key: "certificates.deleted",
      table: "certificates",
      what: "Your certificates and their public pages",
      fate: "delete",
      why: "Your company deletes results with the person; a hash that says nothing stays in its tree",
      where: ofPolicy("delete"),
    },
    {
      key: "certificates.nameless",
      table: "certificates",
      what: "Your certificates",
      fate: "anonymise",
      why:
        "Your company keeps results: their pages say that the name was removed, and the key with which a name could " +
        "be compared is destroyed",
      where: ofPolicy("anonymise"),
      set: {
        ...withoutName,
        salt: nullValue,
        score_percent: nullValue,
        minutes: nullValue,
        show_score: sql`false`,
        show_minutes: sql`false`,
      },
    },
    {
      key: "certificates.retained",
      table: "certificates",
      what: "Certificates that your company must be able to prove",
      fate: "keep",
      why: `Your name is removed; what was achieved can be proved until the period ends (${GROUND})`,
      where: ofPolicy("retain"),
      set: { ...withoutName, keep_until: keepUntil, keep_ground: sql.lit(GROUND) },
      until: keepUntil,
    },
  ],
  sections: [
    {
      key: "certificates",
      purpose: "Proving what you have learned",
      basis: training,
      retention: "Until the data is deleted; then as your company has chosen",
      table: "certificates",
      omit: {
        person_id: SAME_PERSON,
        revoked_by: OTHER_PERSON,
        salt: SECRET,
        leaf: "a hash of the facts",
      },
      keys: ["id"],
      where: ownedBy("person_id"),
    },
  ],
};
