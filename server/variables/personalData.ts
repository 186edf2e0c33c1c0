import { sql } from "kysely";
import {
  COUNTER,
  deleted,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  training,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    deleted(
      "variables",
      "variable_values",
      "Your values of variables: ratings, choices and texts that courses have stored",
      ownedBy("user_id"),
    ),
    deleted("variables.current", "variable_current", "The current values of your variables", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "variableValues",
      purpose: "What courses store of ratings, choices and texts, and what follows from it",
      basis: training,
      retention: "Until the data is deleted, or for as long as the variable says",
      table: "variable_values",
      joins: "join variables on variables.id = variable_values.variable_id",
      extra: "variables.key, variables.label",
      omit: { user_id: SAME_PERSON, actor_id: OTHER_PERSON, tx: COUNTER },
      keys: ["id"],
      where: ({ id }) => sql`variable_values.user_id = ${id}`,
    },
  ],
};
