import { Anchor, Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import classes from "#web/events/public/EventNotFound.module.css";

/** The same page for events that do not exist and those with an access code, so that neither is revealed. */
export function EventNotFound({ slug, code }: { slug: string; code: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [input, setInput] = useState(code);
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) void navigate(`/events/${slug}?code=${encodeURIComponent(input.trim())}`);
  };
  return (
    <EmptyState
      title={t("events.notFound")}
      heading={<Heading>{t("events.notFound")}</Heading>}
      text={t("events.notFoundText")}
      action={
        <form onSubmit={open} className={classes.code}>
          <TextInput
            label={t("events.code")}
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            error={code && input === code ? t("events.codeWrong") : undefined}
          />
          <Button type="submit" variant="default">
            {t("events.codeOpen")}
          </Button>
        </form>
      }
      hint={
        <Anchor component={Link} to="/events">
          {t("events.seeAll")}
        </Anchor>
      }
    />
  );
}
