import { lazy, Suspense } from 'react'
import classes from '#web/core/Markdown.module.css'

const MarkdownText = lazy(() => import('#web/core/MarkdownText.tsx').then(({ MarkdownText }) => ({ default: MarkdownText })))

/** `MarkdownText`, which is heavy (46 KB) and comes after what the page is for. Until then its room is kept. */
export const Markdown = (props: { children: string; from?: 2 | 3 }) => (
  <Suspense fallback={<div className={classes.text} aria-busy style={{ visibility: 'hidden', whiteSpace: 'pre-line' }}>{props.children}</div>}>
    <MarkdownText {...props} />
  </Suspense>
)
