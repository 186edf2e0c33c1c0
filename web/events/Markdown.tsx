import { Fragment, type ReactNode } from 'react'
import classes from '#web/events/Markdown.module.css'

// Markdown as organisers need it: paragraphs, headings, lists, quotes, bold, italics, code, links. No HTML, no pictures: text stays text.

/** Text of an organiser; becomes React elements, never HTML, and links lead only to web and mail addresses. */
export const Markdown = ({ children }: { children: string }) => (
  <div className={classes.text}>{blocksOf(children).map((block, at) => <Fragment key={at}>{block}</Fragment>)}</div>
)

const bullet = /^\s{0,3}[-*+]\s+(.*)$/
const number = /^\s{0,3}\d{1,3}[.)]\s+(.*)$/
const quote = /^\s{0,3}>\s?(.*)$/
const heading = /^(#{1,6})\s+(.*?)\s*#*$/

function blocksOf(text: string): ReactNode[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: ReactNode[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const taken = (pattern: RegExp) => {
      const found: string[] = []
      for (let match = pattern.exec(lines[at] ?? ''); match; match = pattern.exec(lines[++at] ?? '')) found.push(match[1] ?? '')
      return found
    }
    const title = heading.exec(line)
    if (!line.trim()) at++
    else if (title) {
      at++
      blocks.push((title[1] ?? '').length > 2 ? <h4>{inline(title[2] ?? '')}</h4> : <h3>{inline(title[2] ?? '')}</h3>)
    } else if (bullet.test(line)) blocks.push(<ul>{items(taken(bullet))}</ul>)
    else if (number.test(line)) blocks.push(<ol>{items(taken(number))}</ol>)
    else if (quote.test(line)) blocks.push(<blockquote>{broken(taken(quote))}</blockquote>)
    else {
      const paragraph: string[] = []
      while (at < lines.length && lines[at]?.trim() && !(paragraph.length > 0 && isSpecial(lines[at] ?? ''))) paragraph.push(lines[at++] ?? '')
      blocks.push(<p>{broken(paragraph)}</p>)
    }
  }
  return blocks
}

const isSpecial = (line: string) => [bullet, number, quote, heading].some((pattern) => pattern.test(line))
const items = (texts: string[]) => texts.map((text, at) => <li key={at}>{inline(text)}</li>)
const broken = (lines: string[]) => lines.map((line, at) => <Fragment key={at}>{at > 0 && <br />}{inline(line.trim())}</Fragment>)

const marks = /\*\*(?<bold>[^*]+)\*\*|__(?<strong>[^_]+)__|\*(?<em>[^*\s][^*]*)\*|(?<![\w])_(?<it>[^_]+)_(?![\w])|`(?<code>[^`]+)`|\[(?<words>[^\]]+)\]\((?<to>[^\s)]+)\)|(?<bare>https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?])/u

function inline(text: string): ReactNode {
  const match = marks.exec(text)
  if (!match?.groups) return text
  const { bold, strong, em, it, code, words, to, bare } = match.groups
  const before = text.slice(0, match.index)
  const after = text.slice(match.index + match[0].length)
  const found =
    (bold ?? strong) ? <strong>{inline(bold ?? strong ?? '')}</strong>
    : (em ?? it) ? <em>{inline(em ?? it ?? '')}</em>
    : code ? <code>{code}</code>
    : <Out to={to ?? bare ?? ''}>{words ?? bare}</Out>
  return <>{before}{found}{inline(after)}</>
}

const Out = ({ to, children }: { to: string; children: ReactNode }) =>
  /^(https?:\/\/|mailto:)/i.test(to) ? <a href={to} target="_blank" rel="noopener noreferrer nofollow">{children}</a> : <>{children}</>
