import { Button, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { formatDateIn } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { downloadMeasures } from "#web/measures/downloadMeasures.ts";
import { MeasuresForm } from "#web/measures/MeasuresForm.tsx";
import { MeasuresHistory } from "#web/measures/MeasuresHistory.tsx";
import { NotCovered, SettingLines } from "#web/measures/MeasuresTexts.tsx";
import { measures } from "#shared/measures/measures.ts";

/** What a company measures about its people: the page for works councils. */
export function MeasuredTab({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(measures.get, { params: { id: companyId } }));
  const { since, version, by, zone, reason } = data;
  return (
    <>
      <Section
        title={t("measures.title")}
        side={
          <Button
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.7} />}
            onClick={() => void downloadMeasures(companyId, version)}
          >
            {t("measures.download")}
          </Button>
        }
      >
        <Text size="sm" maw="82ch">
          {t("measures.line")}
        </Text>
        <Text size="sm" c="dimmed" mb="md">
          {since === null
            ? t("measures.neverChanged")
            : [
                t("measures.version", { version, day: formatDateIn(since, zone) }),
                ...(by ? [t("measures.by", { name: by })] : []),
                ...(reason ? [t("measures.reasonIs", { reason })] : []),
              ].join(" ")}
        </Text>
        <MeasuresForm companyId={companyId} measured={data} />
      </Section>
      <Section title={t("measures.settingsTitle")}>
        <SettingLines settings={data.settings} companyId={companyId} />
      </Section>
      <Section title={t("measures.notCoveredTitle")}>
        <NotCovered />
      </Section>
      <Section title={t("measures.history.title")}>
        <MeasuresHistory companyId={companyId} zone={zone} />
      </Section>
    </>
  );
}
