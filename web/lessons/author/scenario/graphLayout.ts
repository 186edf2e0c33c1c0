import { graphlib, layout } from "@dagrejs/dagre";
import { optionsOf, type Step } from "#web/lessons/author/scenario/steps.ts";

export const BOX = { width: 190, height: 88 };
export type Place = { x: number; y: number };
export type Way = { from: string; to: string };

/** The ways between steps, each once; of a step with choices that lead nowhere also one to `looseKey`. */
export function waysOf(steps: Step[]): Way[] {
  const keys = new Set(steps.map(({ key }) => key));
  return steps.flatMap(({ key, ending, node }) => {
    if (ending) return [];
    const targets = optionsOf(node).map(({ node: option }) => {
      const to = String(option.attrs["to"]);
      return keys.has(to) ? to : looseKey(key);
    });
    return [...new Set(targets)].map((to) => ({ from: key, to }));
  });
}
export const looseKey = (step: string) => `loose ${step}`;

export const wayId = ({ from, to }: Way) => `${from} ${to}`;

/**
 * Where the boxes stand: where the author has put them, or in the order of the ways, from left to right. `bends`: the
 * points by which a way goes around the boxes between its ends, by its id; none for a box that the author has moved.
 */
export function placeSteps(steps: Step[], ways: Way[]): { places: Map<string, Place>; bends: Map<string, Place[]> } {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 28, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  const loose = ways.flatMap(({ to }) => (to.startsWith("loose ") ? [to] : []));
  for (const key of [...steps.map((step) => step.key), ...loose]) graph.setNode(key, { ...BOX });
  for (const { from, to } of ways) graph.setEdge(from, to);
  layout(graph);
  const laidOut = (key: string): Place => {
    const { x = 0, y = 0 } = graph.node(key) as Partial<Place>;
    return { x: Math.round(x - BOX.width / 2), y: Math.round(y - BOX.height / 2) };
  };
  const places = new Map(steps.map(({ key, node }) => [key, (node.attrs["at"] as Place | null) ?? laidOut(key)]));
  for (const key of loose) places.set(key, laidOut(key));
  const moved = new Set(steps.filter(({ node }) => node.attrs["at"] !== null).map(({ key }) => key));
  const bends = new Map(
    ways
      .filter(({ from, to }) => !moved.has(from) && !moved.has(to))
      .map((way) => {
        const { points = [] } = graph.edge(way.from, way.to) as { points?: Place[] };
        return [wayId(way), points.slice(1, -1)];
      }),
  );
  return { places, bends };
}
