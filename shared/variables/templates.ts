import type { VariableType, VariableValue } from "#shared/variables/variableTypes.ts";

// Templates: texts with placeholders such as {{self_rating}}. `server/variables/templateValues.ts` finds the values.

/** The longest template, in characters. */
export const MAX_TEMPLATE_CHARS = 100_000;
/**
 * Placeholders without a variable, from the learner, the course and the academy. Keys of variables contain no full
 * stop.
 */
export const builtInKeys = [
  "learner.name",
  "learner.first_name",
  "learner.email",
  "company.name",
  "course.title",
  "academy.name",
  "today",
] as const;
export type BuiltInKey = (typeof builtInKeys)[number];
export const isBuiltIn = (key: string): key is BuiltInKey => (builtInKeys as readonly string[]).includes(key);

export type Placeholder = {
  key: string;
  /** Text used when there is no value; null if the template has none. */
  fallback: string | null;
};
/** A piece of a template: text as it is, or a placeholder. */
export type TemplatePart = { text: string; placeholder?: never } | { placeholder: Placeholder; text?: never };

/** `{{key}}` or `{{key | text if there is no value}}`. Anything else in braces is text. */
const PLACEHOLDER = /\{\{[ \t]*([a-z][a-z0-9_]{0,63}(?:\.[a-z_]{1,63})?)[ \t]*(?:\|([^{}\n]{0,500}))?\}\}/g;

/** The parts of a template, in order. Their texts and placeholders make up the whole template. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push({ text: template.slice(end, match.index) });
    parts.push({ placeholder: { key: match[1] as string, fallback: match[2]?.trim() ?? null } });
    end = match.index + match[0].length;
  }
  if (end < template.length) parts.push({ text: template.slice(end) });
  return parts;
}

/**
 * A text of shared/locales with `{{name}}` replaced by values; a missing one by nothing. Not for templates, which
 * admins write.
 */
export const fillText = (text: string, values: Readonly<Record<string, unknown>>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));

/** The keys that a template uses, each once. */
export const keysOfTemplate = (template: string) => [
  ...new Set(parseTemplate(template).flatMap(({ placeholder }) => (placeholder ? [placeholder.key] : []))),
];

/**
 * Where the text is used: values are escaped so that they cannot become markup there. The template itself is not
 * escaped.
 */
export type TemplateTarget = "plain" | "html" | "markdown";
/** The value of a key, and its format. `value` is null if there is none. */
export type TemplateValue = { value: VariableValue; type: VariableType; unit: string };

export type RenderedTemplate = {
  text: string;
  /** Keys without a value and without a fallback, each once; the text contains `notAvailable` in their place. */
  missing: string[];
};
export type RenderOptions = {
  target: TemplateTarget;
  /** Replaces a missing value, in the language of the reader. */
  notAvailable: string;
  /** Texts for yes and no. */
  booleans: readonly [yes: string, no: string];
  locale?: string;
};

/** Puts values into a template. A value is never read as a template itself. */
export function renderTemplate(
  template: string,
  values: ReadonlyMap<string, TemplateValue>,
  options: RenderOptions,
): RenderedTemplate {
  const missing = new Set<string>();
  const escape = escapes[options.target];
  const texts = parseTemplate(template).map(({ text, placeholder }) => {
    if (text !== undefined) return text;
    const found = values.get(placeholder.key);
    if (found && found.value !== null && found.value !== "") return escape(templateText(found, options));
    if (placeholder.fallback !== null) return placeholder.fallback;
    missing.add(placeholder.key);
    return escape(options.notAvailable);
  });
  return { text: texts.join(""), missing: [...missing] };
}

/** A value as text: numbers and dates in the format of the locale, durations in minutes and seconds. */
export function templateText(
  { value, type, unit }: TemplateValue,
  { booleans, locale = "en-GB" }: Pick<RenderOptions, "booleans" | "locale">,
): string {
  if (value === null) return "";
  if (typeof value === "boolean") return booleans[value ? 0 : 1];
  if (typeof value === "number") {
    if (type === "duration") return formatClock(value);
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(value);
    return unit === "" ? number : `${number} ${unit}`;
  }
  if (Array.isArray(value)) return value.map((one) => String(one)).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  if (type !== "date") return value;
  const day = new Date(`${value}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return value;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(day);
}

/** Seconds as `1:05:09` or `5:09`. */
function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapes: Record<TemplateTarget, (text: string) => string> = {
  plain: (text) => text,
  html: (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string),
  // CommonMark 2.4: a backslash before ASCII punctuation makes it literal. A line break would start a block.
  markdown: (text) => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`).replace(/\s*\n\s*/g, " "),
};
