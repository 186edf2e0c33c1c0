import { i18n } from "#web/core/i18n.ts";
import { hexColor } from "#shared/settings/branding.ts";
import { z } from "zod";

const mail = z.email();

/** Validation of company forms in the browser. */
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

/** Separate, because the dialog that adds a company does not have this field. */
export const validateRetentionYears = (years: number | string) =>
  Number.isInteger(Number(years)) && Number(years) >= 1 && Number(years) <= 30
    ? null
    : i18n.t("companies.erasure.yearsBad");

export const validateRecordingDays = (days: number | string) =>
  Number.isInteger(Number(days)) && Number(days) >= 1 && Number(days) <= 3650
    ? null
    : i18n.t("companies.recordings.daysBad");
