import { Fragment } from 'react'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { labelCells } from '#web/privacy/labelCells.ts'
import classes from '#web/privacy/PolicyText.module.css'

/** Markdown from an admin as a page: no raw HTML, no pictures, links that tell the other side nothing. Headings begin at h2. */
export const PolicyText = ({ children }: { children: string }) => (
  <div className={classes.text}>
    <Markdown
      remarkPlugins={[remarkGfm]} rehypePlugins={[labelCells]} skipHtml
      components={{
        h1: ({ children: words }) => <h2>{words}</h2>,
        img: () => null,
        input: () => null,
        a: ({ href, children: words }) => (href ? <a href={href} rel="noreferrer nofollow">{words}</a> : <Fragment>{words}</Fragment>),
      }}
    >
      {children}
    </Markdown>
  </div>
)
