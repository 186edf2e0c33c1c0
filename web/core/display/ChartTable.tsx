import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/display/ChartTable.module.css";

type Props = {
  /** Headings: of the rows, and of each column of numbers. */
  head: readonly [string, ...string[]];
  /** In the order of the chart, oldest first. The table begins with the newest. */
  rows: readonly { key: string; cells: readonly [ReactNode, ...ReactNode[]] }[];
};

/** The numbers of a chart as a collapsed table, for keyboards, screen readers and exact values. */
export function ChartTable({ head, rows }: Props) {
  const { t } = useTranslation();
  const [name, ...counted] = head;
  return (
    <details className={classes.details}>
      <summary>{t("web.chart.asTable")}</summary>
      <div className={classes.rows} role="region" aria-label={`${name}: ${counted.join(", ")}`} tabIndex={0}>
        <Table highlightOnHover={false} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{name}</Table.Th>
              {counted.map((column) => (
                <Table.Th key={column} ta="right">
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.toReversed().map(({ key, cells: [first, ...cells] }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" fw={400}>
                  {first}
                </Table.Th>
                {cells.map((cell, n) => (
                  <Table.Td key={counted[n]} ta="right" className="ly-numbers">
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  );
}
