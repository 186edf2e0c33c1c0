import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/certificates/design/design.module.css";
import type { Subject } from "#web/certificates/design/designCalls.ts";
import { Qr } from "#web/core/display/Qr.tsx";
import { breakLines } from "#shared/certificates/breakLines.ts";
import { certificateTexts, sampleFacts } from "#shared/certificates/certificateTexts.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import { type Box, layOut, type Measure } from "#shared/certificates/layout.ts";
import { DEFAULT_COLOR } from "#shared/certificates/sideArt.ts";
import { fetchPicture } from "#web/certificates/design/pictures.ts";

export type Shown = "short" | "long" | "noScore";
const FAMILY = "'Hanken Grotesk Variable', sans-serif";
const WEIGHTS = { regular: 400, bold: 600 };
/** The weight of one point, in px of the canvas, on which widths are exact enough. */
const FINE = 10;

let canvas: CanvasRenderingContext2D | null = null;
const measure: Measure = (text, size, weight, width) => {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (canvas) canvas.font = `${WEIGHTS[weight]} ${size * FINE}px ${FAMILY}`;
  return breakLines(text, width, (piece) => (canvas?.measureText(piece).width ?? 0) / FINE);
};

export function useLayout(content: DesignContent, { kind, title }: Subject, shown: Shown) {
  const { t } = useTranslation();
  return useMemo(() => {
    const name = shown === "long" ? t("certificates.design.sampleLong") : t("certificates.design.sampleShort");
    const facts = sampleFacts(kind, name, title, content.months);
    const texts = certificateTexts(
      content,
      shown === "noScore" ? { ...facts, scorePercent: null } : facts,
      window.location.origin,
    );
    return layOut(content, texts, { color: DEFAULT_COLOR, logo: content.logo }, measure);
  }, [content, kind, title, shown, t]);
}

/** A certificate as the PDF draws it, from the same boxes. */
export function Preview({ layout, label }: { layout: ReturnType<typeof useLayout>; label: string }) {
  return (
    <svg
      className={classes.sheet}
      style={{ width: `min(100%, calc(74vh * ${layout.width / layout.height}))` }}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      role="img"
      aria-label={label}
      fontFamily={FAMILY}
    >
      <rect width={layout.width} height={layout.height} fill="#fff" />
      {layout.boxes.map((box, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- boxes have no identity, and are drawn anew together
        <Drawn key={n} box={box} />
      ))}
    </svg>
  );
}

function Drawn({ box }: { box: Box }) {
  if (box.kind === "shape") return <path d={box.path} fill={box.fill} />;
  if (box.kind === "rule") return <rect x={box.x} y={box.y} width={box.width} height={box.height} fill={box.color} />;
  if (box.kind === "qr")
    return (
      <g transform={`translate(${box.x} ${box.y})`}>
        <Qr text={window.location.origin} size={box.size} label={box.alt} />
      </g>
    );
  if (box.kind === "picture") return <Picture box={box} />;
  const x = box.align === "end" ? box.x + box.width : box.x;
  return (
    <>
      {box.lines.map(({ text, y }) => (
        <text
          key={y}
          x={x}
          y={y + box.size}
          fontSize={box.size}
          fontWeight={WEIGHTS[box.weight]}
          fill={box.color}
          textAnchor={box.align}
        >
          {text}
        </text>
      ))}
    </>
  );
}

function Picture({ box: { hash, x, y, width, height, alt } }: { box: Extract<Box, { kind: "picture" }> }) {
  const isStored = hash !== "company";
  const { data } = useQuery({
    queryKey: ["certificates", "picture", hash],
    queryFn: () => fetchPicture(hash),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isStored,
  });
  if (isStored)
    return data ? (
      <image href={data} x={x} y={y} width={width} height={height} preserveAspectRatio="xMinYMid" aria-label={alt} />
    ) : null;
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx={6} fill="none" stroke="#8b9894" strokeDasharray="4 3" />
      <text x={x + width / 2} y={y + height / 2 + 4} textAnchor="middle" fontSize={11} fill="#55625f">
        Logo
      </text>
    </g>
  );
}
