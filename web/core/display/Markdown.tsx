import { Suspense } from "react";
import { chunked } from "#web/core/rendering/chunked.tsx";
import classes from "#web/core/display/Markdown.module.css";

export const MarkdownText = chunked(() =>
  import("#web/core/display/MarkdownText.tsx").then(({ MarkdownText }) => MarkdownText),
);

/** `MarkdownText`, which is heavy (46 KB) and comes after what the page is for. Until then its room is kept. */
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
