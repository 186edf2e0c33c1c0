import { Button, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { VersionStateText } from "#web/documents/VersionStateText.tsx";
import { type DocumentDetail, documents } from "#shared/documents/documents.ts";

/** The versions of a document; an earlier one can be made live again. */
export function VersionsTab({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation();
  const publish = useApiMutation(documents.publish);
  const makeLive = async (number: number) => {
    await publish.mutateAsync({ params: { id: document.id, number } });
    toast.done(t("documents.versions.isLive", { number }));
  };
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {(["version", "name", "state", "passages", "added"] as const).map((key) => (
              <Table.Th key={key}>{t(`documents.versions.${key}`)}</Table.Th>
            ))}
            <Table.Th>
              <span className="ly-hidden">{t("core.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {document.versions.map((version) => (
            <Table.Tr key={version.id}>
              <Table.Td>
                {version.number} {version.isLive && <Pill tone="ok">{t("documents.versions.live")}</Pill>}
              </Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{version.name}</Table.Td>
              <Table.Td>
                <VersionStateText version={version} />
              </Table.Td>
              <Table.Td>
                <Num value={version.passages} />
              </Table.Td>
              <Table.Td>
                <Time at={version.createdAt} />
              </Table.Td>
              <Table.Td align="right">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  component={Link}
                  to={`/admin/documents/${document.id}/versions/${version.number}`}
                >
                  {t("documents.versions.openText")}
                </Button>
                {!version.isLive && ["ready", "held", "replaced"].includes(version.state) && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    ml="xs"
                    loading={publish.isPending}
                    onClick={() => void makeLive(version.number)}
                  >
                    {t("documents.versions.makeLive")}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
