import katex from "katex";
import "katex/dist/katex.min.css";
import { memo, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/display/Formula.module.css";
import type { FormulaSource } from "#web/core/display/formulas.ts";

/**
 * Maximum number of macro expansions, and maximum size in em: formulas come from models, which may be prompted to write
 * huge ones.
 */
const MAX_EXPAND = 300;
const MAX_SIZE_EM = 10;
/** Commands that link, load or style; KaTeX would show their names. */
const REFUSED = /\\(?:href|url|includegraphics|html\w+)(?![a-z])/i;

/**
 * A formula, drawn by KaTeX as elements and as MathML for screen readers. Links, loading and styling are disabled
 * (`trust` is off); a formula that cannot be drawn is shown as source.
 */
export const Formula = memo(function Formula({ tex, isBlock, source }: FormulaSource) {
  const { t } = useTranslation();
  const place = useRef<HTMLSpanElement>(null);
  const [isBroken, setBroken] = useState(false);
  useLayoutEffect(() => {
    try {
      if (REFUSED.test(tex)) throw new Error("a command that is not drawn");
      katex.render(tex, place.current as HTMLSpanElement, {
        displayMode: isBlock,
        output: "htmlAndMathml",
        trust: false,
        strict: "ignore",
        throwOnError: true,
        maxExpand: MAX_EXPAND,
        maxSize: MAX_SIZE_EM,
        macros: {},
      });
      setBroken(false);
    } catch {
      setBroken(true);
    }
  }, [tex, isBlock]);
  return (
    <>
      <span
        ref={place}
        className={classes.formula}
        data-block={isBlock || undefined}
        hidden={isBroken}
        // A long formula scrolls sideways, also by keyboard.
        {...(isBlock && { tabIndex: 0, role: "group", "aria-label": t("web.formula") })}
      />
      {isBroken && <code>{source}</code>}
    </>
  );
});
