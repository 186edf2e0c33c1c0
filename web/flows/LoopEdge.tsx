import { BaseEdge, type EdgeProps, useInternalNode } from "@xyflow/react";

/** Distance of the wire from the sides and the bottom of the box, in pixels. */
const REACH = 64;
const DEPTH = 28;

/** A wire between two variables of one box, around its bottom, where the box does not hide it. */
export function LoopEdge({ id, source, sourceX, sourceY, targetX, targetY, style }: EdgeProps) {
  const box = useInternalNode(source);
  const bottom = box ? box.internals.positionAbsolute.y + (box.measured.height ?? 0) : Math.max(sourceY, targetY);
  const y = bottom + DEPTH;
  const [right, left] = [sourceX + REACH, targetX - REACH];
  const path = [
    `M${sourceX},${sourceY}`,
    `C${right},${sourceY} ${right},${y} ${(sourceX + targetX) / 2},${y}`,
    `S${left},${targetY} ${targetX},${targetY}`,
  ].join(" ");
  return <BaseEdge id={id} path={path} {...(style && { style })} />;
}
