import {
  IconChartBar,
  IconBookmark,
  IconFileText,
  IconMessageChatbot,
  IconMessages,
  IconPointer,
  IconQuote,
  IconVariable,
} from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { formatAgoInText } from "#web/core/format/format.ts";
import type { SearchOption } from "#web/core/search/searchOption.ts";
import type { SearchResults } from "#shared/search/search.ts";

const ICON = { size: 18, stroke: 1.6 };
/** Reports on the best matches of a kind, in addition to their own pages. */
const REPORTS = 2;

type StatusOf = (status: string) => string | undefined;

/** Saved views, and the reports on the companies and courses that were found. */
export function reportOptions({ views, companies, courses }: SearchResults, t: TFunction): SearchOption[] {
  const saved = views.items.map(({ id, name, path, query, owner, isMine }) => ({
    key: id,
    title: name,
    detail: isMine ? t("search.report.ownView") : t("search.report.sharedView", { owner }),
    mark: <IconBookmark {...ICON} />,
    to: query ? `${path}?${query}` : path,
  }));
  const reportOn = (kind: "company" | "course", id: string, title: string) => ({
    key: `${kind}-${id}`,
    title,
    detail: t(`search.report.${kind}`),
    mark: <IconChartBar {...ICON} />,
    to: `/reports/${kind}/${id}`,
  });
  return [
    ...saved,
    ...companies.items.slice(0, REPORTS).map(({ id, name }) => reportOn("company", id, name)),
    ...courses.items.slice(0, REPORTS).map(({ id, title }) => reportOn("course", id, title)),
  ];
}

/** Content of chatbots, conversations and data. */
export const contentOptions = (results: SearchResults, isAdmin: boolean, statusOf: StatusOf, t: TFunction) => ({
  chatbots: results.chatbots.items.map(({ id, name, status, courseId }) => ({
    key: id,
    title: name,
    status: statusOf(status),
    mark: <IconMessageChatbot {...ICON} />,
    to: isAdmin ? `/admin/chatbots/edit/${id}` : `/chatbot/${id}${courseId ? `/${courseId}` : ""}`,
  })),
  conversations: results.conversations.items.map(({ id, title, person, chatbot, lastAt }) => ({
    key: id,
    title: title || chatbot,
    detail: [
      ...(isAdmin ? [person ?? t("search.visitor")] : []),
      ...(title ? [chatbot] : []),
      formatAgoInText(lastAt),
    ].join(", "),
    mark: <IconMessages {...ICON} />,
    to: isAdmin ? `/reports/conversation/replay/${id}` : `/reports/chatbots?conversation=${id}`,
  })),
  documents: results.documents.items.map(({ id, title, folder, status }) => ({
    key: id,
    title,
    ...(folder && { detail: folder }),
    status: statusOf(status),
    mark: <IconFileText {...ICON} />,
    to: `/admin/documents/${id}`,
  })),
  prompts: results.prompts.items.map(({ id, name, key, status }) => ({
    key: id,
    title: name,
    detail: key,
    status: statusOf(status),
    mark: <IconQuote {...ICON} />,
    to: `/admin/prompts/${id}`,
  })),
  buttonPrompts: results.buttonPrompts.items.map(({ id, label, key, status }) => ({
    key: id,
    title: label,
    detail: key,
    status: statusOf(status),
    mark: <IconPointer {...ICON} />,
    // Archived ones are listed only on request.
    to: `/admin/button-prompts?q=${key}${status === "archived" ? "&status=archived" : ""}`,
  })),
  variables: results.variables.items.map(({ id, label, key, status }) => ({
    key: id,
    title: label,
    detail: key,
    status: statusOf(status),
    mark: <IconVariable {...ICON} />,
    to: `/variables/${id}`,
  })),
});
