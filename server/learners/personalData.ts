import {
  contract,
  COUNTER,
  deleted,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SECRET,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { historySection, inHistory, isSubject, madeInHistory } from "#server/core/domains/history.ts";

export const personalData: PersonalData = {
  entries: [
    inHistory("history.membership", "membership_history", "History of your company, role and access", isSubject),
    madeInHistory("membership_history", "Changes of companies and access of people that you made"),
    deleted("profile", "users", "Name, email and company", ownedBy("id")),
  ],
  sections: [
    {
      key: "profile",
      purpose: "Logging in and assigning courses",
      basis: contract,
      retention: untilErased,
      table: "users",
      joins: "left join companies on companies.id = users.company_id",
      extra: "companies.name as company",
      omit: { token_valid_after: COUNTER, invitation_hash: SECRET, invited_by: OTHER_PERSON, version: COUNTER },
      keys: ["id"],
      where: ownedBy("users.id"),
    },
    historySection("membershipHistory", "membership_history"),
  ],
};
