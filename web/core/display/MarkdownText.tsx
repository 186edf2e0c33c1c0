import { Fragment } from "react";
import ReactMarkdown, { type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { labelTableCells } from "#web/core/display/labelTableCells.ts";
import classes from "#web/core/display/Markdown.module.css";

/**
 * User-written Markdown (a description, a policy) as React elements, never as HTML: tags are shown as text, images are
 * dropped, links lead to pages and mailboxes only and send no referrer. Headings start at level `from`. `plugin`
 * changes the parsed text, `elements` replaces how elements are shown. The direction is that of the text, paragraph by
 * paragraph.
 */
export const MarkdownText = ({ children, from = 2, plugin, elements }: MarkdownProps) => (
  <div className={classes.text} data-from={from} dir="auto">
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={plugin ? [labelTableCells, plugin] : [labelTableCells]}
      components={{ ...(from === 2 ? fromH2 : fromH3), ...elements }}
    >
      {children}
    </ReactMarkdown>
  </div>
);

export type MarkdownProps = {
  children: string;
  from?: 2 | 3;
  plugin?: NonNullable<Options["rehypePlugins"]>[number];
  elements?: NonNullable<Options["components"]>;
};
type ChildrenProps = { children?: React.ReactNode };
const [h2, h3, h4] = [
  ({ children }: ChildrenProps) => <h2>{children}</h2>,
  ({ children }: ChildrenProps) => <h3>{children}</h3>,
  ({ children }: ChildrenProps) => <h4>{children}</h4>,
];
const components = {
  img: () => null,
  input: () => null,
  a: ({ href, children }: ChildrenProps & { href?: string | undefined }) => {
    if (!href) return <Fragment>{children}</Fragment>;
    const isExternal = /^(https?:)?\/\//i.test(href);
    if (isExternal)
      return (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      );
    return (
      <a href={href} rel="noreferrer nofollow">
        {children}
      </a>
    );
  },
};
const fromH2 = { ...components, h1: h2 };
const fromH3 = { ...components, h1: h3, h2: h3, h3: h4, h5: h4, h6: h4 };
