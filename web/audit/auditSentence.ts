import { i18n } from "#web/core/i18n.ts";
import { actionText } from "#web/audit/actionText.ts";
import { AUDITOR, type AuditEntry, DIRECTORY, NOBODY } from "#shared/audit/audit.ts";

/** A piece of a sentence; with `to` it is a link. */
export type SentencePart = { text: string; to?: string };

/** The name of the person or directory who acted, for sentences. */
export function actorOf({ actor, actorRole, details }: Pick<AuditEntry, "actor" | "actorRole" | "details">) {
  if (actorRole === DIRECTORY) return i18n.t("audit.directory", { name: String(details.directory ?? "") });
  if (actorRole === AUDITOR) return i18n.t("audit.auditor");
  return actor ?? i18n.t(actorRole === NOBODY ? "audit.unknownPerson" : "audit.erasedPerson");
}

const linkTo = (path: string, id: string | null) => (id ? { to: `${path}${id}` } : {});
/** Everything that the log holds about a person. */
const personPath = "/admin/audit?person=";

const subjects: Record<string, (entry: AuditEntry) => SentencePart> = {
  actor: (entry) => ({ text: actorOf(entry), ...linkTo(personPath, entry.actorId) }),
  person: ({ person, personId }) => ({
    text: person ?? i18n.t("audit.erasedPerson"),
    ...linkTo(personPath, personId),
  }),
  company: ({ company, companyId }) => ({
    text: company ?? i18n.t("audit.unknown.company"),
    ...linkTo("/companies/", companyId),
  }),
  course: ({ course, courseId }) =>
    course ? { text: `“${course}”`, ...linkTo("/courses/", courseId) } : { text: i18n.t("audit.unknown.course") },
  event: ({ details: { event }, eventSlug }) =>
    typeof event === "string"
      ? { text: `“${event}”`, ...linkTo("/events/", eventSlug) }
      : { text: i18n.t("audit.unknown.event") },
  object: (entry) => objectOf(entry),
};

const objectPaths: Record<string, string> = {
  chatbots: "/admin/chatbots/edit/",
  documents: "/admin/documents/",
  paths: "/courses/paths/",
  prompts: "/admin/prompts/",
  variables: "/variables/",
  analysis: "/analysis/chatbot?run=",
};

/** Kinds of things that are not those of the action's domain. */
const otherKinds: Partial<Record<AuditEntry["action"], string>> = {
  "prompts.button": "promptsButton",
  "certificates.pathDesign": "paths",
  "certificates.issueMissingOfPath": "paths",
};

/** The thing that an action concerns, without its name if it is gone or was not recorded. */
function objectOf({ action, object, details: { objectId } }: AuditEntry): SentencePart {
  const [domain = ""] = action.split(".");
  const kind = otherKinds[action] ?? domain;
  if (object === null) return { text: i18n.t(`audit.unnamed.${kind}` as "audit.unnamed.chatbots") };
  const path = objectPaths[kind];
  return {
    text: i18n.t(`audit.object.${kind}` as "audit.object.chatbots", { name: object }),
    ...(path && typeof objectId === "string" && linkTo(path, objectId)),
  };
}

function templateOf({ action, actorId, personId, details }: AuditEntry) {
  const isOwn = details.own === true || (personId !== null && actorId === personId);
  if (isOwn && action === "privacy.export") return i18n.t("audit.ownSentences.export");
  if (isOwn && action === "privacy.erase") return i18n.t("audit.ownSentences.erase");
  return actionText(action, "sentences");
}

/** What happened, as one sentence in parts: who, did what, to whom or what. The first letter is upper case. */
export function sentenceOf(entry: AuditEntry): SentencePart[] {
  const parts = templateOf(entry)
    .split(/<(\w+)\/>/)
    .map((piece, at): SentencePart => (at % 2 === 0 ? { text: piece } : (subjects[piece]?.(entry) ?? { text: piece })))
    .filter(({ text }) => text !== "");
  return parts.map((part, at) =>
    at === 0 ? { ...part, text: part.text.charAt(0).toLocaleUpperCase() + part.text.slice(1) } : part,
  );
}

export const sentenceText = (entry: AuditEntry) =>
  sentenceOf(entry)
    .map(({ text }) => text)
    .join("");
