import { sql } from "kysely";
import {
  contract,
  deleted,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { inHistory, isSubject, issuedReportSection } from "#server/core/domains/history.ts";

export const personalData: PersonalData = {
  entries: [
    inHistory("history.reports", "issued_reports", "Reports on you that were issued", isSubject),
    {
      key: "history.views",
      table: "saved_views",
      what: "Saved views of your report, of admins",
      fate: "delete",
      why: "They lead nowhere without you, and their names may contain yours",
      where: ({ id }) => sql`path = ${`/learners/report/${id}`}`,
    },
    deleted("viewMails", "view_mails", "Your choice of emails with figures", ownedBy("user_id")),
    deleted("savedViews", "saved_views", "Your saved views, also those you shared", ownedBy("owner_id")),
  ],
  sections: [
    issuedReportSection,
    {
      key: "savedViews",
      purpose: "Opening lists and reports as you have left them",
      basis: contract,
      retention: untilErased,
      table: "saved_views",
      omit: { owner_id: SAME_PERSON },
      keys: ["id"],
      where: ownedBy("owner_id"),
    },
    {
      key: "viewMails",
      purpose: "Sending you the figures of reports you chose",
      basis: contract,
      retention: untilErased,
      table: "view_mails",
      joins: "join saved_views on saved_views.id = view_mails.view_id",
      extra: "saved_views.name as view",
      omit: { user_id: SAME_PERSON },
      keys: ["view_id"],
      where: ownedBy("view_mails.user_id"),
    },
  ],
};
