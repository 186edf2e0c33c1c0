import type { ReactNode } from "react";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import classes from "#web/imports/imports.module.css";

export type Paging = { page: number; size: number };
type Props<Person> = {
  data: { items: Person[]; total: number } | undefined;
  paging: Paging;
  onPage: (paging: Paging) => void;
  /** What a line shows of a person. */
  children: (person: Person) => ReactNode;
};

export const FIRST_PAGE: Paging = { page: 1, size: 25 };
/** The paging after a change in the footer: another size begins with the first page. */
export const nextPaging = (paging: Paging, change: Partial<Paging>): Paging => ({
  ...paging,
  ...change,
  ...(change.size && { page: 1 }),
});

/** A list of people, page by page. */
export function PagedPeople<Person extends { id: string }>({ data, paging, onPage, children }: Props<Person>) {
  return (
    <>
      <ul className={classes.people}>
        {(data?.items ?? []).map((person) => (
          <li key={person.id}>{children(person)}</li>
        ))}
      </ul>
      {data && data.total > FIRST_PAGE.size && (
        <TableFooter
          {...paging}
          total={data.total}
          noun={undefined}
          embedded
          onChange={(change) => onPage(nextPaging(paging, change))}
        />
      )}
    </>
  );
}
