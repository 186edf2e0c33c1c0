import { Fragment } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { labelTableCells } from "#web/core/display/labelTableCells.ts";
import classes from "#web/core/display/Markdown.module.css";

/**
 * Markdown that somebody wrote for others to read: a description, a policy. Becomes React elements, never HTML: tags stay text,
 * there are no pictures, and links lead to pages and mailboxes only and tell the other side nothing. Headings begin at `from`.
 */
export const MarkdownText = ({ children, from = 2 }: { children: string; from?: 2 | 3 }) => (
  <div className={classes.text} data-from={from}>
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[labelTableCells]}
      components={from === 2 ? deep2 : deep3}
    >
      {children}
    </ReactMarkdown>
  </div>
);

type Inner = { children?: React.ReactNode };
const [h2, h3, h4] = [
  ({ children }: Inner) => <h2>{children}</h2>,
  ({ children }: Inner) => <h3>{children}</h3>,
  ({ children }: Inner) => <h4>{children}</h4>,
];
const parts = {
  img: () => null,
  input: () => null,
  a: ({ href, children }: Inner & { href?: string | undefined }) =>
    !href ? (
      <Fragment>{children}</Fragment>
    ) : /^https?:/i.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <a href={href} rel="noreferrer nofollow">
        {children}
      </a>
    ),
};
const deep2 = { ...parts, h1: h2 };
const deep3 = { ...parts, h1: h3, h2: h3, h3: h4, h5: h4, h6: h4 };
