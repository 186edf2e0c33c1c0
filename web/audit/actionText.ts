import "texts:all/audit";
import { formatDate } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import type { AuditAction, AuditDetails } from "#shared/audit/audit.ts";
import { isUuid } from "#shared/core/uuid.ts";

/** The text of an action: its name, or a sentence with `<actor/>` and other placeholders. */
export function actionText(action: AuditAction, kind: "actions" | "sentences" = "actions") {
  const [domain, name] = action.split(".");
  return i18n.t(`${domain}.audit.${kind}.${name}` as "courses.audit.actions.upload");
}

type Value = Exclude<AuditDetails[string], null | false>;

/**
 * The text of a field name or value such as `contactName`. Names without a translation are split at capital letters.
 */
const wordFor = (kind: "field" | "value", code: string) => {
  const key = `audit.${kind}.${code}`;
  return i18n.exists(key)
    ? i18n.t(key as "audit.value.oidc")
    : code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
};

function valueText(value: Exclude<Value, true>) {
  if (Array.isArray(value)) return value.map((code) => wordFor("field", code)).join(", ");
  if (typeof value === "number") return String(value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : wordFor("value", value);
}

function detailText(name: string, value: Value) {
  const key = `audit.detail.${name}`;
  const isKnown = i18n.exists(key, { count: 1 });
  if (value === true) return isKnown ? i18n.t(key as "audit.detail.own") : wordFor("field", name);
  if (name === "turned" || name === "event") return String(value);
  const text = valueText(value);
  if (!isKnown) return `${wordFor("field", name)}: ${text}`;
  return i18n.t(key as "audit.detail.sessions", { value: text, count: typeof value === "number" ? value : 1 });
}

/** Order of details: subject first, then counts; others follow. */
const order = ["event", "kind", "fields", "companies", "learners", "added", "withdrawn", "sent", "dueDate"];
const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

/**
 * `name, colour`, `3 new`, `due 1 Dec 2026`, `2 companies`, `with password and authenticator app`. Ids say nothing to
 * people, and sentences name the thing.
 */
export function detailsText({
  by,
  second,
  from,
  to,
  conversation: _,
  objectKind: __,
  objectId: ___,
  ...details
}: AuditDetails) {
  const shownDetails = Object.entries({ ...details, ...changeOf(from, to) })
    .filter(
      (pair): pair is [string, Value] => pair[1] !== null && pair[1] !== false && (pair[1] !== 0 || pair[0] === "left"),
    )
    .filter(([, value]) => typeof value !== "string" || !isUuid(value))
    .toSorted(([a], [b]) => rank(a) - rank(b));
  return [...factorsText(by, second), ...shownDetails.map(([name, value]) => detailText(name, value))].join(", ");
}

/** A status change as `from … to …`, or only the new status if the old one is unknown. */
function changeOf(from: AuditDetails[string] | undefined, to: AuditDetails[string] | undefined): AuditDetails {
  if (typeof to !== "string") return {};
  if (typeof from !== "string") return { status: to };
  return { turned: i18n.t("audit.detail.fromTo", { from: wordFor("value", from), to: wordFor("value", to) }) };
}

/** The factors of a login: `with password and authenticator app`. */
function factorsText(...codes: (AuditDetails[string] | undefined)[]) {
  const [first, second] = codes.filter((code) => typeof code === "string").map((code) => wordFor("value", code));
  if (first === undefined) return [];
  if (second === undefined) return [i18n.t("audit.detail.by", { value: first })];
  return [i18n.t("audit.detail.byBoth", { one: first, two: second })];
}
