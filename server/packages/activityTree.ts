import { toFinding } from "#server/packages/findings.ts";
import type { ManifestContext } from "#server/packages/items.ts";
import { readDefinition } from "#server/packages/definitions.ts";
import { attribute, textOf, child, toTitle, type Element } from "#server/packages/xml.ts";
import {
  type Activity,
  type ActivityTree,
  listActivities,
  sequencingLimits as limits,
  type SequencingDefinition,
} from "#shared/packages/activityTree.ts";
import type { ManifestItem } from "#shared/packages/packages.ts";

/**
 * The activity tree of a package with sequencing rules; null with a finding if it is too large to be followed. What of
 * an item cannot be followed is cut with a finding.
 */
export function readActivityTree(
  organization: Element,
  items: ManifestItem[],
  context: Pick<ManifestContext, "sequencing" | "warnings" | "elements">,
): ActivityTree | null {
  const { sequencing, warnings, elements } = context;
  const tooLarge = () => {
    warnings.push(toFinding("sequencingTooLarge", { limit: limits.activities }));
    return null;
  };
  if (countItems(items) >= limits.activities) return tooLarge();
  let total = 0;
  // A small collection may be referred to by every item: nothing is read beyond the limit.
  const read = (element: Element, title: string): SequencingDefinition => {
    if (total > limits.total) return {};
    let isCut = false;
    const definition = readDefinition(element, sequencing, () => {
      isCut = true;
    });
    total += countRules(definition);
    if (isCut) warnings.push(toFinding("sequencingCut", { item: title }));
    return definition;
  };
  /** A heading without parts opens nothing, so it is no activity. */
  const toActivity = (item: ManifestItem): Activity[] => {
    const children = item.items.flatMap(toActivity);
    if (item.href === null && children.length === 0) return [];
    return [
      {
        id: item.identifier,
        ...(!item.isVisible && { isVisible: false }),
        ...read(elements.get(item.identifier) ?? {}, item.title),
        ...(children.length > 0 && { children }),
      },
    ];
  };
  const children = items.flatMap(toActivity);
  const root: Activity = {
    id: rootId(attribute(organization, "identifier"), children),
    ...read(organization, toTitle(textOf(child(organization, "title"))) ?? "–"),
    children,
  };
  // True is the default, which few packages mean
  const isGlobalToSystem = attribute(organization, "objectivesglobaltosystem")?.toLowerCase() === "true";
  const tree = { root, isGlobalToSystem };
  if (total > limits.total || JSON.stringify(tree).length > limits.chars) return tooLarge();
  if (isGlobalToSystem && hasMaps(root)) warnings.push(toFinding("sequencingGlobal"));
  return tree;
}

/** The root is no part, and has an identifier that no item has. */
function rootId(stated: string | null, children: Activity[]) {
  const taken = new Set(children.flatMap(listActivities).map(({ id }) => id));
  let id = stated?.slice(0, 190) ?? "root";
  while (taken.has(id)) id = `${id}-`;
  return id;
}

const countItems = (items: ManifestItem[]): number => items.reduce((sum, item) => sum + 1 + countItems(item.items), 0);

function countRules({ pre, exit, post, rollup, primary, objectives = [] }: SequencingDefinition) {
  const lists = [pre, exit, post, rollup?.rules, objectives, primary?.maps, ...objectives.map(({ maps }) => maps)];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

const hasMaps = (root: Activity) =>
  listActivities(root).some(({ primary, objectives }) =>
    [primary, ...(objectives ?? [])].some((objective) => objective?.maps !== undefined),
  );
