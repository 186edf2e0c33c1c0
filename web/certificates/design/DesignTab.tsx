import { Button } from "@mantine/core";
import { IconCertificate } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { designQuery, type Subject } from "#web/certificates/design/designCalls.ts";
import { DesignForm } from "#web/certificates/design/DesignForm.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";

/** The certificate of a course or path: what it says, how it looks, and whether completions get it. */
export function DesignTab({ subject }: { subject: Subject }) {
  const { t } = useTranslation();
  const { data: design } = useSuspenseQuery(designQuery(subject));
  const [adding, setAdding] = useState(false);
  if (!design && !adding)
    return (
      <EmptyState
        title={t(`certificates.design.start.${subject.kind}`)}
        text={t(`certificates.design.startText.${subject.kind}`)}
        action={
          <Button leftSection={<IconCertificate size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
            {t("certificates.design.add")}
          </Button>
        }
      />
    );
  return <DesignForm key={design?.version ?? "new"} subject={subject} design={design} />;
}
