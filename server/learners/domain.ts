import { defineDomain } from "#server/core/domains/domain.ts";
import { historySection, inHistory, isSubject, madeInHistory } from "#server/core/domains/history.ts";
import {
  contract,
  COUNTER,
  deleted,
  OTHER_PERSON,
  ownedBy,
  SECRET,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { forGood, rows, withAccount } from "#server/core/domains/tables.ts";
import { learnerRoutes } from "#server/learners/routes.ts";

export const learners = defineDomain({
  name: "learners",
  uses: ["courses"],
  routes: [learnerRoutes],
  openTo: { learners: ["learners.get"] },
  tables: {
    users: { growth: rows(1, "learner"), kept: withAccount, authors: { invited_by: "People you invited" } },
    membership_history: {
      growth: rows(3, "learner"),
      kept: forGood,
      notPersonal: { "the endpoint that changed the membership": "reason" },
    },
  },
  personalData: {
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
  },
});
