import { readJson, storage } from "#web/core/storage/storage.ts";
import { isOneOf, isText, isTrue, orAbsent, orNull, readShape } from "#web/core/shape.ts";
import { ROLES, type User, USER_STATUSES } from "#shared/core/users.ts";
import { isUuid } from "#shared/core/uuid.ts";

/** Local storage key of the signed-in user. */
export const USER_KEY = "user";

/** The user who was signed in last; not verified until the server has responded. */
export function readStoredUser(): User | null {
  return readShape<Omit<User, "apiKey">>(readJson(USER_KEY), {
    id: isUuid,
    email: orNull(isText),
    personnelNumber: orNull(isText),
    name: isText,
    role: (value) => isOneOf(ROLES, value),
    status: (value) => isOneOf(USER_STATUSES, value),
    companyId: orNull(isUuid),
    createdAt: isText,
    lastActive: orNull(isText),
    lastLoginAt: orNull(isText),
    needsFactor: orAbsent(isTrue),
    leadsPeople: orAbsent(isTrue),
    onSharedDevice: orAbsent(isTrue),
  });
}

export function storeUser(user: User | null) {
  const text = user && JSON.stringify(user);
  if (text === null) storage.remove(USER_KEY);
  else if (storage.get(USER_KEY) !== text) storage.set(USER_KEY, text);
}
