import texts from "#shared/locales/en/certificates.json" with { type: "json" };
import type { PathStep } from "#shared/paths/steps.ts";
import { fillText } from "#shared/variables/templates.ts";

const words = texts.path;

/** How a learning path is completed, in words. `titles`: of its courses, by id. */
export function pathRule(steps: PathStep[], titles: ReadonlyMap<string, string>) {
  const quoted = ({ courseIds }: PathStep) =>
    courseIds.map((id) => fillText(words.quoted, { title: titles.get(id) ?? "" })).join(", ");
  const listed = steps.map((step) =>
    step.courseIds.length > 1 ? fillText(words.choice, { needed: step.needed, courses: quoted(step) }) : quoted(step),
  );
  return fillText(words.rule, { steps: listed.join("; ") });
}
