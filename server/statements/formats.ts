import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { keyOf } from "#server/statements/identifiers.ts";
import type { Format } from "#server/statements/filters.ts";
import { isActivity, isActor, isSubStatement, listActivities } from "#server/statements/named.ts";
import type { StatementRow } from "#server/statements/reading.ts";
import type {
  Activity,
  Actor,
  Context,
  Definition,
  LanguageMap,
  Statement,
  StatementObject,
  SubStatement,
  Verb,
} from "#shared/statements/xapi.ts";

/** How one format writes the parts of a statement. */
type Writer = {
  actor: (actor: Actor) => Actor;
  activity: (activity: Activity) => Activity;
  verb: (verb: Verb) => Verb;
};

/** Writes statements as JSON texts in a format. */
export async function formatStatements(
  db: Db,
  companyId: string,
  rows: StatementRow[],
  format: Format,
  languages: string,
): Promise<string[]> {
  if (format === "exact") return rows.map(({ text }) => text);
  const statements = rows.map(({ text }) => JSON.parse(text) as Statement);
  const writer = format === "ids" ? ids : await createCanonical(db, companyId, statements, languages);
  return statements.map((statement) => JSON.stringify(write(statement, writer)));
}

function write<S extends Statement | SubStatement>(statement: S, writer: Writer): S {
  const { actor, verb, object, context } = statement;
  return {
    ...statement,
    actor: writer.actor(actor),
    verb: writer.verb(verb),
    object: writeObject(object, writer),
    ...(context && { context: writeContext(context, writer) }),
    ...("authority" in statement && statement.authority && { authority: writer.actor(statement.authority) }),
  };
}

function writeObject(object: StatementObject, writer: Writer): StatementObject {
  if (isActivity(object)) return writer.activity(object);
  if (isActor(object)) return writer.actor(object);
  return isSubStatement(object) ? write(object, writer) : object;
}

function writeContext(context: Context, writer: Writer): Context {
  const { instructor, team, contextActivities, contextAgents, contextGroups } = context;
  return {
    ...context,
    ...(instructor && { instructor: writer.actor(instructor) }),
    ...(team && { team: writer.actor(team) as typeof team }),
    ...(contextAgents && {
      contextAgents: contextAgents.map((one) => ({ ...one, agent: writer.actor(one.agent) as typeof one.agent })),
    }),
    ...(contextGroups && {
      contextGroups: contextGroups.map((one) => ({ ...one, group: writer.actor(one.group) as typeof one.group })),
    }),
    ...(contextActivities && {
      contextActivities: Object.fromEntries(
        Object.entries(contextActivities).map(([kind, activities]) => [kind, activities.map(writer.activity)]),
      ),
    }),
  };
}

/** Only identifiers; for an anonymous group, those of its members. */
const ids: Writer = {
  actor: ({ name: _, ...actor }) => {
    if (actor.objectType !== "Group") return { ...actor };
    const { member, ...group } = actor;
    const isAnonymous = !(group.mbox ?? group.mbox_sha1sum ?? group.openid ?? group.account);
    return isAnonymous ? { ...group, member: (member ?? []).map(({ name: __, ...agent }) => agent) } : group;
  },
  activity: ({ id }) => ({ id }),
  verb: ({ id }) => ({ id }),
};

/** Adds stored definitions of activities; texts in one language. */
async function createCanonical(db: Db, companyId: string, statements: Statement[], header: string): Promise<Writer> {
  const languages = readLanguages(header);
  const activities = statements.flatMap((statement) => listActivities(statement).map(({ id }) => id));
  const known = await findDefinitions(db, companyId, activities);
  return {
    actor: (actor) => actor,
    activity(activity) {
      const definition = known.get(activity.id) ?? activity.definition;
      return definition ? { ...activity, definition: inOneLanguage(definition, languages) } : activity;
    },
    verb: (verb) => (verb.display ? { ...verb, display: chooseText(verb.display, languages) } : verb),
  };
}

export async function findDefinitions(db: Db, companyId: string, activities: string[]) {
  if (activities.length === 0) return new Map<string, Definition>();
  const rows = await db
    .selectFrom("activityDefinitions")
    .where("companyId", "=", companyId)
    .where(sql<boolean>`activity_key = any(${[...new Set(activities)].map(keyOf)}::uuid[])`)
    .select(["activity", "definition"])
    .execute();
  return new Map(rows.map(({ activity, definition }) => [activity, definition]));
}

const COMPONENTS = ["choices", "scale", "source", "target", "steps"];
function inOneLanguage(definition: Definition, languages: string[]): Definition {
  const { name, description } = definition;
  const lists = COMPONENTS.flatMap((key) => {
    const components = definition[key] as { id: string; description?: LanguageMap }[] | undefined;
    if (!components) return [];
    const written = components.map((component) =>
      component.description ? { ...component, description: chooseText(component.description, languages) } : component,
    );
    return [[key, written] as const];
  });
  return {
    ...definition,
    ...(name && { name: chooseText(name, languages) }),
    ...(description && { description: chooseText(description, languages) }),
    ...Object.fromEntries(lists),
  };
}

/** The best entry of a language map: the same tag, else the same language, else the first one. */
function chooseText(map: LanguageMap, languages: string[]): LanguageMap {
  const tags = Object.keys(map);
  const primary = (tag: string) => tag.toLowerCase().split("-")[0];
  for (const language of languages) {
    const found =
      tags.find((tag) => tag.toLowerCase() === language.toLowerCase()) ??
      tags.find((tag) => primary(tag) === primary(language));
    if (found !== undefined) return { [found]: map[found] as string };
  }
  const [first] = tags;
  return first === undefined ? {} : { [first]: map[first] as string };
}

/** The languages of Accept-Language (RFC 9110), in order of preference. */
function readLanguages(header: string) {
  return header
    .slice(0, 1000)
    .split(",")
    .map((part) => {
      const [tag = "", quality = ""] = part.split(";");
      return { tag: tag.trim(), weight: Number(/q=([\d.]+)/.exec(quality)?.[1] ?? 1) };
    })
    .filter(({ tag, weight }) => tag !== "" && tag !== "*" && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
