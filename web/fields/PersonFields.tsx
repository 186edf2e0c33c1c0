import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import classes from "#web/fields/fields.module.css";
import { type FieldKind, fields } from "#shared/fields/fields.ts";

const shownText = (kind: FieldKind, text: string) => {
  if (kind === "date") return formatDate(text);
  return kind === "number" ? formatNumber(Number(text)) : text;
};

/** The fields of a person that have a value. */
export function PersonFields({ id }: { id: string }) {
  const { data } = useQuery(queryFor(fields.ofPerson, { params: { id } }));
  const items = (data?.items ?? []).flatMap((item) => (item.text === null ? [] : [{ ...item, text: item.text }]));
  if (items.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {items.map(({ id: fieldId, name, kind, text }) => (
        <div key={fieldId}>
          <dt>{name}</dt>
          <dd>{shownText(kind, text)}</dd>
        </div>
      ))}
    </dl>
  );
}
