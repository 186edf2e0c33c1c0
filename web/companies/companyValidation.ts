import { i18n } from "#web/core/i18n.ts";
import { hexColor } from "#shared/branding.ts";
import { z } from "zod";

const mail = z.email();

/** What a company's form says about a field before anything is sent. */
export const companyValidation = {
  name: (name: string) => (name.trim() ? null : i18n.t("companies.checks.name")),
  contactEmail: (email: string) =>
    !email.trim() || mail.safeParse(email.trim()).success ? null : i18n.t("companies.checks.email"),
  learnerLimit: (limit: number | string | null) =>
    limit === null || limit === "" || (Number.isInteger(Number(limit)) && Number(limit) >= 1)
      ? null
      : i18n.t("companies.checks.limit"),
  color: (color: string | null) =>
    !color || hexColor.safeParse(color).success ? null : i18n.t("companies.checks.color"),
};

/** Apart from the others: the dialog that adds a company has no such field. */
export const validateRetentionYears = (years: number | string) =>
  Number.isInteger(Number(years)) && Number(years) >= 1 && Number(years) <= 30
    ? null
    : i18n.t("companies.erasure.yearsBad");
