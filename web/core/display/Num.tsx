import type { CSSProperties } from "react";
import { formatNumber } from "#web/core/format/format.ts";

type Props = {
  value: number | null;
  /** Text after the number, dimmed: "of 250". */
  of?: string;
  /** Red, for numbers that need action, such as more than 10 overdue. */
  bad?: boolean;
  strong?: boolean;
};

/** A formatted number in a table; zeros and missing values are dimmed. */
export function Num({ value, of, bad, strong }: Props) {
  if (value === null) return <span style={dimmed}>–</span>;
  let style: CSSProperties | undefined = strong ? { fontWeight: 600 } : undefined;
  if (value === 0) style = dimmed;
  if (bad) style = { color: "var(--ly-bad)", fontWeight: 600 };
  return (
    <span className="ly-numbers">
      <span style={style}>{formatNumber(value)}</span>
      {of && <span style={dimmed}> {of}</span>}
    </span>
  );
}

const dimmed = { color: "var(--mantine-color-dimmed)" };
