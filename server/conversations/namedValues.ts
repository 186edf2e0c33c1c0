import { TEMPLATE_WORDS } from "#server/variables/templates.ts";
import type { TemplateValues } from "#server/variables/templateValues.ts";
import { keysOfTemplate, renderTemplate, templateText } from "#shared/variables/templates.ts";

/** Types whose values are numbers, days or options of an admin: nobody can write an order into one. */
const CHECKED_TYPES = ["number", "boolean", "duration", "date", "choice"];
const isChecked = (key: string, type: string) => key === "academy.name" || CHECKED_TYPES.includes(type);

type Named = { text: string; values: [name: string, text: string][] };

/**
 * A template for the instructions of a model. What people or packages wrote, such as the name of a learner, does not
 * become part of the instructions: the text names it, as `{learner.name}`, and `values` has it as data.
 */
export function nameValues(template: string, values: TemplateValues): Named {
  const named: Named["values"] = [];
  const shown: TemplateValues = new Map(values);
  for (const key of keysOfTemplate(template)) {
    const value = values.get(key);
    if (!value || value.value === null || value.value === "" || isChecked(key, value.type)) continue;
    named.push([key, templateText(value, TEMPLATE_WORDS)]);
    shown.set(key, { value: `{${key}}`, type: "text", unit: "" });
  }
  return { text: renderTemplate(template, shown, { ...TEMPLATE_WORDS, target: "plain" }).text, values: named };
}
