import { agentKeyOf, keyOf } from "#server/statements/identifiers.ts";
import type { Activity, Actor, Context, Statement, StatementObject, SubStatement } from "#shared/statements/xapi.ts";

/** Keys of the agents or activities that a statement names; true if filters find them without `related_…`. */
export type Named = Map<string, boolean>;

export const isActivity = (object: StatementObject): object is Activity =>
  object.objectType === undefined || object.objectType === "Activity";
export const isActor = (object: StatementObject): object is Actor =>
  object.objectType === "Agent" || object.objectType === "Group";
export const isSubStatement = (object: StatementObject): object is SubStatement => object.objectType === "SubStatement";

const activitiesOf = ({ contextActivities = {} }: Context) =>
  Object.values(contextActivities).flatMap((activities: Activity[] | undefined) => activities ?? []);
const actorsOf = ({ instructor, team, contextAgents = [], contextGroups = [] }: Context): Actor[] => [
  ...(instructor ? [instructor] : []),
  ...(team ? [team] : []),
  ...contextAgents.map(({ agent }) => agent),
  ...contextGroups.map(({ group }) => group),
];

/** Every activity in a statement, with its definition if given. */
export function listActivities({ object, context }: Statement | SubStatement): Activity[] {
  return [
    ...(isActivity(object) ? [object] : []),
    ...(isSubStatement(object) ? listActivities(object) : []),
    ...activitiesOf(context ?? {}),
  ];
}

export function nameActivities(statement: Statement): Named {
  const named: Named = new Map();
  for (const { id } of listActivities(statement)) named.set(keyOf(id), false);
  if (isActivity(statement.object)) named.set(keyOf(statement.object.id), true);
  return named;
}

/** Every agent and group in a statement, and the members of groups. */
export function nameAgents(statement: Statement): Named {
  const named: Named = new Map();
  const add = (actor: Actor, isMain: boolean) => {
    const key = agentKeyOf(actor);
    if (key) named.set(key, isMain || named.get(key) === true);
    if (actor.objectType === "Group") for (const member of actor.member ?? []) add(member, isMain);
  };
  const addOf = ({ actor, object, context }: Statement | SubStatement, isMain: boolean) => {
    add(actor, isMain);
    if (isActor(object)) add(object, isMain);
    if (isSubStatement(object)) addOf(object, false);
    for (const one of actorsOf(context ?? {})) add(one, false);
  };
  addOf(statement, true);
  if (statement.authority) add(statement.authority, false);
  return named;
}
