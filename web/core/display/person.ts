import { i18n } from "#web/core/i18n.ts";

type Named = { name: string; email: string | null };

/** The name of a person, or the address of one who has not said a name yet. */
export const nameOf = ({ name, email }: Named) => name || email || "";

/** What tells people of the same name apart: the email address or, without one, the personnel number. */
export const contactOf = ({ email, personnelNumber }: { email: string | null; personnelNumber: string | null }) =>
  email ?? (personnelNumber === null ? "" : i18n.t("core.personnelNumber", { number: personnelNumber }));
