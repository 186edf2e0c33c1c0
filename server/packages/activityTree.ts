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
  const read = (element: Element, title: string): SequencingDefinition => {
    let isCut = false;
    const definition = readDefinition(element, sequencing, () => {
      isCut = true;
    });
    if (isCut) warnings.push(toFinding("sequencingCut", { item: title }));
    return definition;
  };
  const toActivity = (item: ManifestItem): Activity => ({
    id: item.identifier,
    ...(!item.isVisible && { isVisible: false }),
    ...read(elements.get(item.identifier) ?? {}, item.title),
    ...(item.items.length > 0 && { children: item.items.map(toActivity) }),
  });
  const children = items.map(toActivity);
  const root: Activity = {
    id: rootId(attribute(organization, "identifier"), children),
    ...read(organization, toTitle(textOf(child(organization, "title"))) ?? "–"),
    children,
  };
  // True is the default, which few packages mean
  const isGlobalToSystem = attribute(organization, "objectivesglobaltosystem")?.toLowerCase() === "true";
  const tree = { root, isGlobalToSystem };
  if (isTooLarge(tree)) {
    warnings.push(toFinding("sequencingTooLarge", { limit: limits.activities }));
    return null;
  }
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

function isTooLarge(tree: ActivityTree) {
  const activities = listActivities(tree.root);
  if (activities.length > limits.activities) return true;
  const total = activities.reduce((sum, { pre, exit, post, rollup, primary, objectives }) => {
    const rules = [pre, exit, post, rollup?.rules, objectives].map((list) => list?.length ?? 0);
    const maps = [primary, ...(objectives ?? [])].map((objective) => objective?.maps?.length ?? 0);
    return [...rules, ...maps].reduce((part, count) => part + count, sum);
  }, 0);
  return total > limits.total || JSON.stringify(tree).length > limits.chars;
}

const hasMaps = (root: Activity) =>
  listActivities(root).some(({ primary, objectives }) =>
    [primary, ...(objectives ?? [])].some((objective) => objective?.maps !== undefined),
  );
