import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import type { Turn } from "#shared/conversations/conversations.ts";

/** The numbered sources of an answer, each with a link to its document. */
export function SourceList({ sources }: { sources: Turn["sources"] }) {
  const { t } = useTranslation();
  return (
    <ol className={conversationClasses.sources}>
      {sources.map(({ n, documentId, title, heading, page, part }) => (
        <li key={n}>
          <span>{n}</span>
          <Link to={`/admin/documents/${documentId}`}>{title}</Link>
          <span className={classes.dim}>
            {[heading, part ? part.title !== heading && part.title : page && t("chatbots.talks.page", { page })]
              .filter(Boolean)
              .join(", ")}
          </span>
        </li>
      ))}
    </ol>
  );
}
