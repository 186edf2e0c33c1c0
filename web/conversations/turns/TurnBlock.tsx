import { type ReactNode, type RefObject, startTransition, useEffect, useRef, useState } from "react";
import type { ShownTurn } from "#web/conversations/branch.ts";
import classes from "#web/conversations/chat.module.css";

const BLOCK_SIZE = 4;
/** A block further from the viewport than this is replaced by an empty box of the same height, in pixels. */
const NEAR = 2500;

/** The turns in blocks from the first turn on, so that a new turn changes only the last block. */
export function blocksOf(branch: ShownTurn[]): ShownTurn[][] {
  const blocks: ShownTurn[][] = [];
  for (let at = 0; at < branch.length; at += BLOCK_SIZE) blocks.push(branch.slice(at, at + BLOCK_SIZE));
  return blocks;
}

type Props = { frame: RefObject<HTMLElement | null>; isLast: boolean; children: () => ReactNode };

/** Renders its turns only near the viewport: in a long conversation the others would slow down scrolling. */
export function TurnBlock({ frame, isLast, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    if (isLast) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        const next = entry.isIntersecting ? null : entry.boundingClientRect.height;
        startTransition(() => setHeight((known) => (next === null ? null : (known ?? next))));
      },
      { root: frame.current, rootMargin: `${NEAR}px 0px` },
    );
    observer.observe(box.current as HTMLDivElement);
    return () => observer.disconnect();
  }, [frame, isLast]);
  const isAway = height !== null && !isLast;
  return (
    <div ref={box} className={classes.block} style={isAway ? { height } : {}}>
      {!isAway && children()}
    </div>
  );
}
