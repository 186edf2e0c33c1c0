import { sql } from "kysely";
import {
  contract,
  deleted,
  interest,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { historySection, inHistory, isSubject, madeInHistory } from "#server/core/domains/history.ts";

const isDeputyOrManager = ({ id }: { id: string }) => sql<boolean>`${id} in (manager_id, deputy_id)`;

export const personalData: PersonalData = {
  entries: [
    inHistory("history.managers", "manager_history", "History of who leads you", isSubject),
    inHistory("history.led", "manager_history", "History of whom you lead", ownedBy("manager_id")),
    madeInHistory("manager_history", "Changes of who leads whom that you made"),
    deleted("managers.own", "managers", "Who leads you", ownedBy("user_id")),
    {
      key: "managers.led",
      table: "managers",
      what: "Whom you lead",
      fate: "delete",
      why: "Your people pass to the next manager above you, or to nobody",
      where: ownedBy("manager_id"),
    },
    deleted(
      "managers.deputies",
      "manager_deputies",
      "For whom you stand in, and who stands in for you",
      isDeputyOrManager,
    ),
    deleted("managers.rights", "given_rights", "Rights that were given to you", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "manager",
      purpose: "Showing the state of your courses to the person who leads you",
      basis: contract,
      retention: untilErased,
      table: "managers",
      joins: "join users leader on leader.id = managers.manager_id",
      extra: "coalesce(nullif(leader.name, ''), leader.email) as led_by",
      omit: { user_id: SAME_PERSON, manager_id: "led_by is the name" },
      keys: ["user_id"],
      where: ownedBy("managers.user_id"),
    },
    {
      key: "led",
      purpose: "Showing the state of their courses to you",
      basis: interest,
      retention: untilErased,
      table: "managers",
      omit: { user_id: OTHER_PERSON, manager_id: SAME_PERSON },
      keys: ["user_id"],
      where: ownedBy("managers.manager_id"),
    },
    {
      key: "deputies",
      purpose: "Standing in for a manager for a time",
      basis: contract,
      retention: untilErased,
      table: "manager_deputies",
      omit: { manager_id: OTHER_PERSON, deputy_id: OTHER_PERSON, created_by: OTHER_PERSON },
      keys: ["id"],
      where: isDeputyOrManager,
    },
    {
      key: "givenRights",
      purpose: "Who may see the people whom they lead",
      basis: contract,
      retention: untilErased,
      table: "given_rights",
      omit: { user_id: SAME_PERSON, given_by: OTHER_PERSON },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
    historySection("managerHistory", "manager_history"),
  ],
};
