import { type RawBuilder, sql } from "kysely";
import type { User } from "#shared/core/users.ts";

// The people of a manager. `people_of` (migrations/0124_groups_and_teams.sql) alone decides who they are;
// what else a manager may see one day, such as groups, is added there and nowhere else.

/** SQL: the people of a manager as a table with `user_id` and `is_direct`, for `from` and `join`. */
export const peopleOf = (manager: Pick<User, "id">) => sql<{ userId: string; isDirect: boolean }>`
  people_of(${manager.id}::uuid)`;

/** SQL condition: the person in this column is one of the people of a manager. */
export const isLedBy = (manager: Pick<User, "id">, column: string): RawBuilder<boolean> => sql<boolean>`
  ${sql.ref(column)} in (select people.user_id from people_of(${manager.id}::uuid) people)`;
