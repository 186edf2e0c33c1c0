import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from "@xyflow/react";
import type { Place } from "#web/lessons/author/scenario/graphLayout.ts";

/** A way from one step to another, around the boxes between them. */
export function WayEdge(props: EdgeProps<Edge<{ bends: Place[] }>>) {
  const { sourceX, sourceY, targetX, targetY, data, markerEnd } = props;
  const bends = data?.bends ?? [];
  const ends = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ] as const;
  const path = bends.length > 1 ? throughPoints(ends[0], bends, ends[1]) : getBezierPath(props)[0];
  return <BaseEdge path={path} {...(markerEnd && { markerEnd })} />;
}

/** A curve that starts and ends level, and bends at the points. */
function throughPoints(start: Place, bends: Place[], end: Place) {
  const points = [{ x: start.x + 24, y: start.y }, ...bends, { x: end.x - 24, y: end.y }];
  const curves = points.slice(0, -1).map((point, at) => {
    const next = points[at + 1] ?? end;
    return `Q ${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  const last = points.at(-1) ?? end;
  return `M ${start.x} ${start.y} ${curves.join(" ")} Q ${last.x} ${last.y} ${end.x} ${end.y}`;
}
