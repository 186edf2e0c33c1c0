import { formatNumber } from "#web/core/format/format.ts";

type Props = {
  value: number | null;
  /** "of 250" behind the number, dimmed. */
  of?: string;
  /** Red: only where it calls for action, such as more than 10 overdue. */
  bad?: boolean;
  strong?: boolean;
};

/** A number in a table: grouped, zeros and missing values dimmed. */
export function Num({ value, of, bad, strong }: Props) {
  if (value === null) return <span style={dimmed}>–</span>;
  const style = bad
    ? { color: "var(--ly-bad)", fontWeight: 600 }
    : value === 0
      ? dimmed
      : strong
        ? { fontWeight: 600 }
        : undefined;
  return (
    <span className="ly-numbers">
      <span style={style}>{formatNumber(value)}</span>
      {of && <span style={dimmed}> {of}</span>}
    </span>
  );
}

const dimmed = { color: "var(--mantine-color-dimmed)" };
