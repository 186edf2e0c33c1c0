import { readJson, storage } from "#web/core/storage/storage.ts";
import { user as userSchema, type User } from "#shared/core/users.ts";

/** Local storage key of the signed-in user. */
export const USER_KEY = "user";

/** The user who was signed in last; not verified until the server has responded. */
export function readStoredUser(): User | null {
  return userSchema.nullable().catch(null).parse(readJson(USER_KEY));
}

export function storeUser(user: User | null) {
  const text = user && JSON.stringify(user);
  if (text === null) storage.remove(USER_KEY);
  else if (storage.get(USER_KEY) !== text) storage.set(USER_KEY, text);
}
