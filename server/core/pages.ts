/** What the server says about a page before the application runs: its status and head (HTML, already safe). */
export type Page = { status: number; title: string; description?: string; head?: string; noindex?: boolean; location?: string }

const text = (value: string) => value.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** The single page with a page's own head. */
export function withPage(index: string, { title, description, head = '', noindex }: Page) {
  const named = index.replace(/<title>[^<]*<\/title>/, () => `<title>${text(title)} · Lyceum</title>${noindex ? '<meta name="robots" content="noindex">' : ''}${head}`)
  return description ? named.replace(/<meta name="description" content="[^"]*"\s*\/?>/, () => `<meta name="description" content="${text(description)}">`) : named
}
