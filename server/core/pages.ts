/** What the server says about a page before the application runs: its status, head and first content (HTML, already safe). */
export type Page = { status: number; title: string; description?: string; head?: string; main?: string; noindex?: boolean; location?: string }
/** Looks at the address of a page; null when there is nothing to say about it. */
export type PageOf = (url: string) => Promise<Page | null>

const text = (value: string) => value.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** The single page with a page's own head and content; React takes the place of the content. */
export function withPage(index: string, { title, description, head = '', main = '', noindex }: Page) {
  const named = index.replace(/<title>[^<]*<\/title>/, () => `<title>${text(title)} · Lyceum</title>${noindex ? '<meta name="robots" content="noindex">' : ''}${head}`)
  const described = description ? named.replace(/<meta name="description" content="[^"]*"\s*\/?>/, () => `<meta name="description" content="${text(description)}">`) : named
  return described.replace('<div id="root"></div>', () => `<div id="root">${main}</div>`)
}
