import { Button } from "@mantine/core";
import { IconCertificate } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DesignForm } from "#web/certificates/design/DesignForm.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { certificates } from "#shared/certificates/certificates.ts";

type Props = { courseId: string; course: string };

/** The certificate of a course: what it says, how it looks, and whether completions get it. */
export function DesignTab({ courseId, course }: Props) {
  const { t } = useTranslation();
  const { data: design } = useSuspenseQuery(queryFor(certificates.design, { params: { courseId } }));
  const [adding, setAdding] = useState(false);
  if (!design && !adding)
    return (
      <EmptyState
        title={t("certificates.design.start")}
        text={t("certificates.design.startText")}
        action={
          <Button leftSection={<IconCertificate size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
            {t("certificates.design.add")}
          </Button>
        }
      />
    );
  return <DesignForm key={design?.version ?? "new"} courseId={courseId} course={course} design={design} />;
}
