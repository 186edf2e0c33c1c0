import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Section } from "#web/core/layout/Section.tsx";
import { botLinksQuery } from "#web/conversations/botLinksQuery.ts";
import { BotMark } from "#web/conversations/BotMark.tsx";
import classes from "#web/conversations/BotLinks.module.css";

/** The chatbots that are open to a learner, in a course or without one. Nothing if there are none. */
export function BotLinks({ courseId }: { courseId: string | null }) {
  const { t } = useTranslation();
  const { data } = useQuery(botLinksQuery(courseId));
  if (!data || data.items.length === 0) return null;
  return (
    <Section title={t(courseId ? "chat.links.inCourse" : "chat.links.title")}>
      <ul className={classes.bots}>
        {data.items.map(({ id, name, description, color }) => (
          <li key={id}>
            <Link to={courseId ? `/chatbot/${id}/${courseId}` : `/chatbot/${id}`} className={classes.bot}>
              <BotMark color={color} />
              <span>
                <strong>{name}</strong>
                {description && <small>{description}</small>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
