import { Button, FileButton } from "@mantine/core";
import { IconPlus, IconUpload, IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { BotState } from "#web/chatbots/BotState.tsx";
import classes from "#web/chatbots/chatbots.module.css";
import { ChatbotMenu } from "#web/chatbots/ChatbotMenu.tsx";
import { useBotActions } from "#web/chatbots/useBotActions.ts";
import { formatMoney } from "#web/connectors/amounts.ts";
import { BotMark } from "#web/conversations/BotMark.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { botStatus, type ChatbotRow, chatbots } from "#shared/chatbots/chatbots.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { courses } from "#shared/courses/courses.ts";

const icon = { size: 18, stroke: 1.7 };

/** /admin/chatbots: all chatbots with audience, documents, use and cost. */
export function ChatbotsPage() {
  const { t } = useTranslation();
  const actions = useBotActions();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const addButton = (
    <Button component={Link} to="/admin/chatbots/create" leftSection={<IconPlus {...icon} />}>
      {t("chatbots.add")}
    </Button>
  );
  const openTo = ({ access, origins, courses: [first, ...others] }: ChatbotRow) => {
    const more = others.length > 0 ? t("chatbots.courseCount", { count: others.length + 1 }) : first?.title;
    return (
      <>
        <span className={classes.access}>
          {access === "public" && <IconWorld size={16} stroke={1.7} aria-hidden />}
          {t(`chatbots.accessIs.${access}`)}
          {access === "public" && origins > 0 && `, ${t("chatbots.websites", { count: origins })}`}
        </span>
        {more && <span className={classes.under}>{more}</span>}
      </>
    );
  };
  const connection = ({ pedagogy, connector }: ChatbotRow) => {
    if (pedagogy === "scene") return t("chatbots.scripted");
    return connector ?? t("chatbots.defaultConnection");
  };
  const cost = ({ costMicros, conversations: count }: ChatbotRow) => {
    if (count === 0 || !spending) return <Num value={null} />;
    if (costMicros === 0) return <span className={classes.dim}>{t("chatbots.free")}</span>;
    return formatMoney(costMicros / 1e6, spending.currency);
  };
  const status = (row: ChatbotRow) => (
    <>
      <BotState bot={row} />
      {row.live && row.isChanged && <span className={classes.under}>{t("chatbots.changed")}</span>}
    </>
  );
  return (
    <>
      <PageHead
        title={t("chatbots.title")}
        line={t("chatbots.line")}
        actions={
          <>
            <FileButton accept="application/json,.json" onChange={(file) => file && void actions.importFile(file)}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconUpload {...icon} />}>
                  {t("chatbots.import")}
                </Button>
              )}
            </FileButton>
            {addButton}
          </>
        }
      />
      <DataTable
        list={chatbots.list}
        sort="name"
        search={t("chatbots.search")}
        noun={t("chatbots.noun")}
        filters={[
          {
            key: "status",
            label: t("chatbots.state"),
            unset: t("chatbots.notArchived"),
            options: botStatus.options.map((value) => ({ value, label: t(`chatbots.is.${value}`) })),
          },
          {
            key: "courseId",
            label: t("chatbots.course"),
            options: (allCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        to={(row) => `/admin/chatbots/edit/${row.id}`}
        mark={(row) => <BotMark color={row.color} />}
        note={(row) => row.description && <span className={`${classes.under} ${classes.clip}`}>{row.description}</span>}
        columns={[
          { key: "name", head: t("chatbots.chatbot"), sort: true },
          { key: "status", head: t("chatbots.state"), render: status },
          { key: "access", head: t("chatbots.openTo"), render: openTo },
          { key: "connector", head: t("chatbots.connection"), minor: true, render: connection },
          {
            key: "conversations",
            head: t("chatbots.conversations30"),
            align: "right",
            render: (row) => <Num value={row.conversations} />,
          },
          {
            key: "people",
            head: t("chatbots.people"),
            align: "right",
            minor: true,
            render: (row) => <Num value={row.people} />,
          },
          { key: "cost", head: t("chatbots.cost30"), align: "right", render: cost },
          { key: "lastAt", head: t("chatbots.last"), minor: true, render: (row) => <Time at={row.lastAt} /> },
        ]}
        phone={(row) => ({
          line: t(`chatbots.accessIs.${row.access}`),
          side: <BotState bot={row} />,
          sideLine: t("chatbots.conversationCount", { count: row.conversations }),
        })}
        menu={(row) => <ChatbotMenu bot={row} />}
        empty={{ title: t("chatbots.none"), text: t("chatbots.noneText"), action: addButton }}
      />
    </>
  );
}
