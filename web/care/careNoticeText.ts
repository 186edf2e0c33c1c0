import type { TFunction } from "i18next";
import type { CareNotice } from "#shared/care/care.ts";

/** What people read before they write: who is told, why, and when they look. */
export const careNoticeText = (t: TFunction, { people, purpose, hours }: NonNullable<CareNotice>) =>
  t("care.notice", {
    people: new Intl.ListFormat("en", { type: "conjunction" }).format(people),
    purpose: purpose.trim().replace(/\.$/, ""),
    hours: hours.trim().replace(/\.$/, ""),
  });
