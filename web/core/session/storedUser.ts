import { readJson, storage } from "#web/core/session/storage.ts";
import { user as userSchema, type User } from "#shared/users.ts";

/** Local storage key of the spec (section 3). */
export const USER_KEY = "user";

/** Who was signed in here last: a hint that the server overrules. */
export function readUser(): User | null {
  return userSchema.nullable().catch(null).parse(readJson(USER_KEY));
}

export function storeUser(user: User | null) {
  const text = user && JSON.stringify(user);
  if (text === null) storage.remove(USER_KEY);
  else if (storage.get(USER_KEY) !== text) storage.set(USER_KEY, text);
}
