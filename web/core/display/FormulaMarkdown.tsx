import { lazy, Suspense, useMemo } from "react";
import { placeFormulas, takeFormulas } from "#web/core/display/formulas.ts";
import { type MarkdownProps, MarkdownText } from "#web/core/display/MarkdownText.tsx";

/** KaTeX and its fonts are loaded only if a text has a formula. */
const Formula = lazy(() => import("#web/core/display/Formula.tsx").then(({ Formula }) => ({ default: Formula })));

type Transform = (root: Parameters<typeof placeFormulas>[0]) => void;
type Props = Omit<MarkdownProps, "plugin"> & {
  /** Changes the parsed text. */
  plugin?: () => Transform;
};

/** Markdown with formulas between `$`, `$$`, `\(` and `\)`, `\[` and `\]`. */
export function FormulaMarkdown({ children, plugin, elements, ...props }: Props) {
  const { text, formulas } = useMemo(() => takeFormulas(children), [children]);
  const both = useMemo(
    () => () => (root: Parameters<Transform>[0]) => {
      plugin?.()(root);
      placeFormulas(root);
    },
    [plugin],
  );
  const withFormulas = useMemo(
    () => ({
      ...elements,
      var: ({ title = "" }: { title?: string | undefined }) => {
        const formula = formulas[Number(title)];
        if (!formula) return null;
        return (
          <Suspense fallback={<code>{formula.source}</code>}>
            <Formula {...formula} />
          </Suspense>
        );
      },
    }),
    [elements, formulas],
  );
  return (
    <MarkdownText {...props} plugin={both} elements={withFormulas}>
      {text}
    </MarkdownText>
  );
}
