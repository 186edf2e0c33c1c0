import { i18n } from "#web/core/i18n.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";

/** Kinds of data in a sentence: `Active time, scores`. */
export const kindNames = (kinds: MeasuredKind[]) =>
  kinds
    .map((kind) => i18n.t(`measures.kinds.${kind}.name`))
    .map((name, at) => (at === 0 ? name : name.charAt(0).toLocaleLowerCase() + name.slice(1)))
    .join(", ");
