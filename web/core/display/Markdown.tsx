import { Suspense } from "react";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import classes from "#web/core/display/Markdown.module.css";

export const MarkdownText = lazyWithPreload(() =>
  import("#web/core/display/MarkdownText.tsx").then(({ MarkdownText }) => MarkdownText),
);

/** `MarkdownText` loaded lazily (46 KB). The fallback reserves its space. */
export const Markdown = (props: { children: string; from?: 2 | 3 }) => (
  <Suspense
    fallback={
      <div className={classes.text} aria-busy style={{ visibility: "hidden", whiteSpace: "pre-line" }}>
        {props.children}
      </div>
    }
  >
    <MarkdownText {...props} />
  </Suspense>
);
