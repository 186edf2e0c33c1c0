import { historySection, isSubject, madeInHistory } from "#server/core/domains/history.ts";
import {
  deleted,
  interest,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";

const NAME = "(select name from fields where fields.id = field_id) as field";

export const personalData: PersonalData = {
  entries: [
    {
      key: "history.fields",
      table: "field_value_history",
      what: "History of the fields that your company has of you",
      fate: "anonymise",
      why: "The values are removed and you are replaced by a random number; that something was changed stays",
      where: isSubject,
    },
    madeInHistory("field_value_history", "Fields of people that you changed"),
    deleted(
      "fieldValues",
      "field_values",
      "Fields that your company has of you, such as a department",
      ownedBy("user_id"),
    ),
  ],
  sections: [
    {
      key: "fieldValues",
      purpose: "Assigning courses, and reports by what your company calls its people",
      basis: interest,
      retention: untilErased,
      table: "field_values",
      extra: `${NAME}, (
          select choice->>'name'
          from fields, jsonb_array_elements(fields.choices) choice
          where fields.id = field_id
            and choice->>'id' = field_values.text
        ) as choice`,
      omit: { user_id: SAME_PERSON },
      keys: ["field_id"],
      where: ownedBy("user_id"),
    },
    {
      ...historySection("fieldHistory", "field_value_history"),
      extra: `coalesce(actor_id = person_id, false) as by_self, ${NAME}`,
    },
  ],
};
