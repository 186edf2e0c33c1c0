import { Fragment } from 'react'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import classes from '#web/privacy/PolicyText.module.css'

/** Markdown from an admin as a page: no raw HTML, no pictures, links that tell the other side nothing. Headings begin at h2. */
export const PolicyText = ({ children }: { children: string }) => (
  <div className={classes.text}>
    <Markdown
      remarkPlugins={[remarkGfm]} skipHtml
      components={{
        h1: ({ children: words }) => <h2>{words}</h2>,
        img: () => null,
        input: () => null,
        a: ({ href, children: words }) => (href ? <a href={href} rel="noreferrer nofollow">{words}</a> : <Fragment>{words}</Fragment>),
        table: ({ children: rows }) => <div className={classes.wide} tabIndex={0} role="group" aria-label="Table"><table>{rows}</table></div>,
      }}
    >
      {children}
    </Markdown>
  </div>
)
