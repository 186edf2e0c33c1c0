import { checkActor } from "#server/statements/validation/agents.ts";
import {
  checkArray,
  checkExtensions,
  checkIri,
  checkLanguageMap,
  checkString,
  checkUuid,
  fail,
  isObject,
  readObject,
} from "#server/statements/validation/fields.ts";

/** The lists of components that each type of interaction may have (xAPI 1.0.3, Data 2.4.4.1). */
const COMPONENTS: Record<string, readonly string[]> = {
  "true-false": [],
  choice: ["choices"],
  "fill-in": [],
  "long-fill-in": [],
  matching: ["source", "target"],
  performance: ["steps"],
  sequencing: ["choices"],
  likert: ["scale"],
  numeric: [],
  other: [],
};
const LISTS = ["choices", "scale", "source", "target", "steps"];
const DEFINITION = [
  "name",
  "description",
  "type",
  "moreInfo",
  "extensions",
  "interactionType",
  "correctResponsesPattern",
  ...LISTS,
];

export function checkActivity(value: unknown, path: string) {
  const activity = readObject(value, path, ["objectType", "id", "definition"]);
  if (activity.objectType !== undefined && activity.objectType !== "Activity") throw fail(path, "is not an Activity");
  checkIri(activity.id, `${path}.id`);
  if (activity.definition !== undefined) checkDefinition(activity.definition, `${path}.definition`);
}

function checkDefinition(value: unknown, path: string) {
  const definition = readObject(value, path, DEFINITION);
  if (definition.name !== undefined) checkLanguageMap(definition.name, `${path}.name`);
  if (definition.description !== undefined) checkLanguageMap(definition.description, `${path}.description`);
  if (definition.type !== undefined) checkIri(definition.type, `${path}.type`);
  if (definition.moreInfo !== undefined) checkIri(definition.moreInfo, `${path}.moreInfo`);
  if (definition.extensions !== undefined) checkExtensions(definition.extensions, `${path}.extensions`);
  const { interactionType } = definition;
  if (interactionType !== undefined && !Object.hasOwn(COMPONENTS, String(interactionType)))
    throw fail(`${path}.interactionType`, "is not a type of interactions");
  if (definition.correctResponsesPattern !== undefined)
    checkArray(definition.correctResponsesPattern, `${path}.correctResponsesPattern`).forEach((pattern, at) =>
      checkString(pattern, `${path}.correctResponsesPattern.${at}`),
    );
  const allowed = COMPONENTS[String(interactionType)];
  const parts = [...LISTS, "correctResponsesPattern"].filter((key) => definition[key] !== undefined);
  if (!allowed && parts.length > 0) throw fail(path, `has ${parts[0]} without interactionType`);
  for (const list of LISTS) {
    if (definition[list] === undefined) continue;
    if (!allowed?.includes(list)) throw fail(path, `has ${list}, which ${String(interactionType)} does not have`);
    checkComponents(definition[list], `${path}.${list}`);
  }
}

function checkComponents(value: unknown, path: string) {
  const ids = checkArray(value, path).map((component, at) => {
    const { id, description } = readObject(component, `${path}.${at}`, ["id", "description"]);
    if (description !== undefined) checkLanguageMap(description, `${path}.${at}.description`);
    return checkString(id, `${path}.${at}.id`);
  });
  if (new Set(ids).size < ids.length) throw fail(path, "has an id twice");
}

export function checkStatementRef(value: unknown, path: string) {
  const { objectType, id } = readObject(value, path, ["objectType", "id"]);
  if (objectType !== "StatementRef") throw fail(path, "is not a StatementRef");
  checkUuid(id, `${path}.id`);
}

/** The object of a statement. `checkSub` checks a SubStatement; null inside one, which must not contain another. */
export function checkObject(value: unknown, path: string, checkSub: ((value: unknown, path: string) => void) | null) {
  if (!isObject(value)) throw fail(path, "is not an object");
  const { objectType } = value;
  if (objectType === undefined || objectType === "Activity") return checkActivity(value, path);
  if (objectType === "Agent" || objectType === "Group") return checkActor(value, path);
  if (objectType === "StatementRef") return checkStatementRef(value, path);
  if (objectType === "SubStatement" && checkSub) return checkSub(value, path);
  throw fail(`${path}.objectType`, "is not a type of objects that is possible here");
}
