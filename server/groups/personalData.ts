import { inHistory, isSubject } from "#server/core/domains/history.ts";
import {
  deleted,
  interest,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";

const NAME = "(select name from groups where groups.id = group_id) as name";
const purpose = "Assigning courses to groups of people, and reports about them";

export const personalData: PersonalData = {
  entries: [
    inHistory("history.groups", "group_members", "Groups of your company that you were in", isSubject),
    deleted(
      "groupOverrides",
      "group_overrides",
      "Groups that an admin put you into or keeps you out of",
      ownedBy("user_id"),
    ),
    deleted(
      "groupProvidedMembers",
      "group_provided_members",
      "Groups that the directory of your company puts you into",
      ownedBy("user_id"),
    ),
  ],
  sections: [
    {
      key: "groups",
      purpose,
      basis: interest,
      retention: "Under a random number without the person after the data is deleted",
      table: "group_members",
      extra: NAME,
      omit: { person_id: SAME_PERSON },
      keys: ["id"],
      where: isSubject,
    },
    {
      key: "groupOverrides",
      purpose,
      basis: interest,
      retention: untilErased,
      table: "group_overrides",
      extra: NAME,
      omit: { user_id: SAME_PERSON, created_by: "another person" },
      keys: ["group_id"],
      where: ownedBy("user_id"),
    },
    {
      key: "groupProvidedMembers",
      purpose,
      basis: interest,
      retention: untilErased,
      table: "group_provided_members",
      extra: NAME,
      omit: { user_id: SAME_PERSON },
      keys: ["group_id"],
      where: ownedBy("user_id"),
    },
  ],
};
