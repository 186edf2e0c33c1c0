import { Switch, Table } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { type NotificationChoice, notifications } from "#shared/notifications/notifications.ts";

/** Which notifications appear in the app, and which are also emailed. */
export function NotificationsSection() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(notifications.choices));
  const choose = useApiMutation(notifications.choose);
  const change = (choice: NotificationChoice) => void choose.mutateAsync({ body: choice }).catch(() => {});

  return (
    <div id="notifications">
      <Section title={t("notifications.title")}>
        <p>{t("notifications.line")}</p>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("notifications.title")}</Table.Th>
              <Table.Th w={90}>{t("notifications.inBar")}</Table.Th>
              <Table.Th w={90}>{t("notifications.byMail")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((choice) => {
              const name = t(`notifications.kinds.${choice.kind}.name`);
              return (
                <Table.Tr key={choice.kind}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>
                    <Switch
                      checked={choice.isShown}
                      aria-label={`${name}: ${t("notifications.inBar")}`}
                      onChange={({ currentTarget }) => change({ ...choice, isShown: currentTarget.checked })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <Switch
                      checked={choice.isMailed}
                      aria-label={`${name}: ${t("notifications.byMail")}`}
                      onChange={({ currentTarget }) => change({ ...choice, isMailed: currentTarget.checked })}
                    />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Section>
    </div>
  );
}
