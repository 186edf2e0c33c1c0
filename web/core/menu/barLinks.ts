import type { ParseKeys } from "i18next";
import type { User } from "#shared/core/users.ts";
import type { ScreenPath } from "#web/screens.ts";

/** Existing pages by path, with the function that preloads them. */
export type Screens = ReadonlyMap<string, () => Promise<unknown>>;

type BarLink = { label: ParseKeys; path: ScreenPath };
const events: BarLink = { label: "bar.events", path: "/events" };
const coursesOf = ({ role }: User): BarLink => ({
  label: "bar.courses",
  path: role === "admin" ? "/courses" : "/my-courses",
});

/** Links of the navigation bar besides the product title; the target of Courses depends on the role. */
export const barLinksFor = (user: User | null): BarLink[] => (user ? [events, coursesOf(user)] : [events]);
