import { sql } from "kysely";

/** SQL: the personnel number of `users`, if they have one. */
export const personnelNumber = sql<string | null>`(
  select personnel_numbers.number
  from personnel_numbers
  where personnel_numbers.user_id = users.id
)`;
