import { Button, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Section } from "#web/core/layout/Section.tsx";
import classes from "#web/variables/authoring/CodeBlock.module.css";

/** Code to copy, with its purpose and place. */
export function CodeBlock({ title, hint, code }: { title: string; hint: string; code: string }) {
  const { t } = useTranslation();
  return (
    <Section title={title}>
      <p className={classes.hint}>{hint}</p>
      <div className={classes.box}>
        <pre className={classes.code} role="group" tabIndex={0} aria-label={title}>
          {code}
        </pre>
        <CopyButton value={code} timeout={1500}>
          {({ copied, copy }) => (
            <Button
              className={classes.copy}
              variant="default"
              size="compact-sm"
              leftSection={copied ? <IconCheck size={16} stroke={1.7} /> : <IconCopy size={16} stroke={1.6} />}
              aria-label={t("web.copy.action", { what: title })}
              onClick={copy}
            >
              {copied ? t("web.copy.done") : t("variables.code.copy")}
            </Button>
          )}
        </CopyButton>
      </div>
    </Section>
  );
}
