import { Anchor, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { valueText } from "#web/variables/valueText.ts";
import { type Variable, variables } from "#shared/variables/variables.ts";

/** The best learners; those with equal values share a place. */
export function Leaderboard({ variable }: { variable: Variable }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(variables.leaderboard, { params: { id: variable.id } }));
  if (!data || data.leaders.length === 0) return null;
  const gainText = (gain: number) => (gain > 0 ? `+${formatNumber(gain, 2)}` : "");
  return (
    <Section title={t("variables.page.leaderboard")}>
      <Table>
        <Table.Tbody>
          {data.leaders.map(({ place, userId, name, value, gain }, index) => {
            const isLastOfPlace = data.leaders[index + 1]?.place !== place;
            const more = isLastOfPlace ? data.more.find((one) => one.place === place) : undefined;
            return [
              <Table.Tr key={userId}>
                <Table.Td w={40} c="dimmed">
                  {place}
                </Table.Td>
                <Table.Td>
                  <Anchor component={Link} to={`/learners/report/${userId}`}>
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right" c="dimmed">
                  {gainText(gain)}
                </Table.Td>
                <Table.Td ta="right" fw={640}>
                  {valueText(value, variable, t)}
                </Table.Td>
              </Table.Tr>,
              more && (
                <Table.Tr key={`more ${place}`}>
                  <Table.Td />
                  <Table.Td colSpan={3} c="dimmed">
                    {t("variables.page.sharing", { count: more.learners, place })}
                  </Table.Td>
                </Table.Tr>
              ),
            ];
          })}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
