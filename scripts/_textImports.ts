import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const folder = join(import.meta.dirname, "../shared/locales/en");
/** Domains whose texts `web/core/i18n.ts` loads with every page. */
const loadedAtStart = new Set(["auth", "bar", "consent", "core"]);
const all = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
/** Groups that are not loaded with the other texts of their domain: errors of the server, and the audit log. */
const LOADED_APART = ["errors", "audit"];
/** The first two steps of a translation key in a source: `"courses.title"`. The second may be computed. */
const keys = new RegExp(`["'\`](${all.join("|")})\\.([a-zA-Z]*)`, "g");

type Texts = { [key: string]: string | Texts };
const textsOf = (domain: string) => JSON.parse(readFileSync(join(folder, `${domain}.json`), "utf8")) as Texts;
const withoutApart = (texts: Texts) =>
  Object.fromEntries(Object.entries(texts).filter(([group]) => !LOADED_APART.includes(group)));

/**
 * The part of a domain that a key belongs to: its group, the texts that are in no group (``), or all where the group is
 * computed.
 */
function partOf(texts: Texts, group: string) {
  if (!group) return "*";
  return typeof texts[group] === "object" ? group : "";
}
function pick(texts: Texts, part: string): Texts {
  if (part === "*") return withoutApart(texts);
  if (part) return { [part]: texts[part] as Texts };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"));
}

const PREFIX = "\0texts:";

/**
 * Gives every module of the pages the texts whose translation keys it names (`t("courses.title")`), so that a page
 * loads the texts that it shows and no others, and no page can forget any. A key must therefore begin with its domain
 * in the source. `import "texts:all/audit"` loads a group of all domains.
 */
export const textImports: Plugin = {
  name: "text-imports",
  enforce: "pre",
  resolveId: (id) => (id.startsWith("texts:") ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(PREFIX)) return undefined;
    const [domain = "", part = ""] = id.slice(PREFIX.length).split("/");
    const named = domain === "all" ? all.filter((name) => textsOf(name)[part]) : [domain];
    for (const name of named) this.addWatchFile(join(folder, `${name}.json`));
    const bundle = Object.fromEntries(named.map((name) => [name, pick(textsOf(name), part)]));
    return `import { i18n } from ${JSON.stringify(join(folder, "../../../web/core/i18n.ts"))};
i18n.addResourceBundle("en", "translation", ${JSON.stringify(bundle)}, true);`;
  },
  transform: {
    filter: { id: [/\/web\/[^?]*\.tsx?$/, /\/shared\/locales\/en\/\w+\.json$/] },
    handler(code, id) {
      if (id.endsWith(".json")) return { code: JSON.stringify(withoutApart(JSON.parse(code) as Texts)), map: null };
      const named = new Set(
        [...code.matchAll(keys)]
          .filter(([, domain = "", group = ""]) => !loadedAtStart.has(domain) || LOADED_APART.includes(group))
          .map(([, domain = "", group = ""]) => ({ domain, part: partOf(textsOf(domain), group) }))
          .filter(({ domain, part }) => Object.keys(pick(textsOf(domain), part)).length > 0)
          .map(({ domain, part }) => `${domain}/${part}`),
      );
      if (named.size === 0) return undefined;
      return { code: code + [...named].map((part) => `\nimport "texts:${part}";`).join(""), map: null };
    },
  },
};
