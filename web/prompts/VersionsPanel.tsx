import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { LiveDialog } from "#web/prompts/LiveDialog.tsx";
import classes from "#web/prompts/prompts.module.css";
import { TextDiff } from "#web/prompts/TextDiff.tsx";
import { type PromptDetail, prompts, type PromptVersion } from "#shared/prompts/prompts.ts";

type Props = { prompt: PromptDetail; onClose: () => void; onRestored: (text: string) => void };

/** Every version with its changes; any of them can be restored or made live. */
export function VersionsPanel({ prompt, onClose, onRestored }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(prompt.versions[0]?.id ?? "");
  const [published, setPublished] = useState<string | null>(null);
  const restoring = useApiMutation(prompts.restoreVersion);
  const restore = async ({ id }: PromptVersion) => {
    const body = { versionId: id, version: prompt.version };
    const saved = await restoring.mutateAsync({ params: { id: prompt.id }, body });
    onRestored(saved.versions[0]?.body ?? "");
    toast.done(t("prompts.saved", { number: saved.draft.number }));
  };
  return (
    <SidePanel title={t("prompts.versions")} line={prompt.name} onClose={onClose}>
      <ol className={classes.versions}>
        {prompt.versions.map((version, at) => (
          <li key={version.id}>
            <button
              type="button"
              className={classes.versionHead}
              aria-expanded={shown === version.id}
              onClick={() => setShown(shown === version.id ? "" : version.id)}
            >
              <strong>{t("prompts.versionNumber", { number: version.number })}</strong>
              {version.id === prompt.live?.id && <Pill>{t("prompts.live")}</Pill>}
              <span className={classes.dim}>
                {version.author} <Time at={version.createdAt} />
              </span>
            </button>
            {version.note !== "" && <p className={classes.note}>{version.note}</p>}
            {shown === version.id && (
              <>
                <TextDiff before={prompt.versions[at + 1]?.body ?? ""} after={version.body} />
                <div className={classes.versionActions}>
                  {version.id !== prompt.live?.id && (
                    <Button size="compact-sm" h={30} px={12} onClick={() => setPublished(version.id)}>
                      {t("prompts.makeLive", { number: version.number })}
                    </Button>
                  )}
                  {at > 0 && (
                    <Button
                      size="compact-sm"
                      h={30}
                      px={12}
                      variant="default"
                      loading={restoring.isPending}
                      onClick={() => void restore(version)}
                    >
                      {t("prompts.restoreText")}
                    </Button>
                  )}
                </div>
              </>
            )}
          </li>
        ))}
      </ol>
      {published && <LiveDialog prompt={prompt} versionId={published} onClose={() => setPublished(null)} />}
    </SidePanel>
  );
}
