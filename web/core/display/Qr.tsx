import qrcode from "qrcode-generator";
import { useMemo } from "react";

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

type Props = { text: string; size: number | string; label: string; ink?: string };

/** A QR code as a single path, on white in both colour schemes. */
export function Qr({ text, size, label, ink = "#08343d" }: Props) {
  const { path, side } = useMemo(() => toPath(text), [text]);
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      style={{ background: "#fff" }}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill={ink} />
    </svg>
  );
}

function toPath(text: string) {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!code.isDark(row, column)) continue;
      const from = column;
      while (column + 1 < count && code.isDark(row, column + 1)) column++;
      path += `M${from + QUIET_ZONE} ${row + QUIET_ZONE}h${column - from + 1}v1h-${column - from + 1}z`;
    }
  }
  return { path, side: count + 2 * QUIET_ZONE };
}
