import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { AuditAction, AuditDetails } from "#shared/audit.ts";

/** What was done, in words. */
export const actionText = (action: AuditAction) => i18n.t(`audit.actions.${action}`);

type Value = Exclude<AuditDetails[string], null | false>;

/** `Company`, `contactName` and `backupDays` as words; what this version has none for is taken apart where it is written together. */
const wordFor = (kind: "field" | "value", code: string) => {
  const key = `audit.${kind}.${code}`;
  return i18n.exists(key)
    ? i18n.t(key as "audit.value.oidc")
    : code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
};

function detailText(name: string, value: Value) {
  const key = `audit.detail.${name}`;
  const known = i18n.exists(key, { count: 1 });
  if (value === true) return known ? i18n.t(key as "audit.detail.own") : wordFor("field", name);
  if (name === "turned") return String(value);
  if (name === "event") return String(value);
  const text = Array.isArray(value)
    ? value.map((code) => wordFor("field", code)).join(", ")
    : typeof value === "number"
      ? String(value)
      : /^\d{4}-\d\d-\d\d$/.test(value)
        ? formatDate(value)
        : wordFor("value", value);
  if (!known) return `${wordFor("field", name)}: ${text}`;
  return i18n.t(key as "audit.detail.sessions", { value: text, count: typeof value === "number" ? value : 1 });
}

/** What it is about comes first, then how many, then how; others follow as they come. */
const order = ["event", "kind", "fields", "companies", "learners", "added", "withdrawn", "sent", "dueDate"];
const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

/** `name, colour`, `3 new`, `due 1 Dec 2026`, `2 companies`, `with password and authenticator app`. */
export function detailsText({ by, second, from, to, ...details }: AuditDetails) {
  const turned =
    typeof to !== "string"
      ? {}
      : typeof from === "string"
        ? { turned: i18n.t("audit.detail.fromTo", { from: wordFor("value", from), to: wordFor("value", to) }) }
        : { status: to };
  const given = Object.entries({ ...details, ...turned })
    .filter(
      (pair): pair is [string, Value] => pair[1] !== null && pair[1] !== false && (pair[1] !== 0 || pair[0] === "left"),
    )
    .toSorted(([a], [b]) => rank(a) - rank(b));
  const proofs = [by, second].filter((code) => typeof code === "string").map((code) => wordFor("value", code));
  const ways =
    proofs.length > 1
      ? i18n.t("audit.detail.byBoth", { one: proofs[0], two: proofs[1] })
      : proofs.length === 1
        ? i18n.t("audit.detail.by", { value: proofs[0] })
        : [];
  return [ways, given.map(([name, value]) => detailText(name, value))].flat().join(", ");
}
