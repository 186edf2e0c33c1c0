import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { LiveDialog } from "#web/prompts/LiveDialog.tsx";
import { Playground } from "#web/prompts/Playground.tsx";
import { PromptEditor } from "#web/prompts/PromptEditor.tsx";
import classes from "#web/prompts/prompts.module.css";
import { SampleValues } from "#web/prompts/SampleValues.tsx";
import { TestQuestions } from "#web/prompts/TestQuestions.tsx";
import { VersionsPanel } from "#web/prompts/VersionsPanel.tsx";
import { prompts } from "#shared/prompts/prompts.ts";

/** One prompt: text, values of a sample learner, trials side by side, and test questions. */
export function PromptPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: prompt } = useSuspenseQuery(queryFor(prompts.get, { params: { id } }));
  const [newest] = prompt.versions;
  const [text, setText] = useState(newest?.body ?? "");
  const [userId, setUserId] = useState<string | null>(null);
  const [showsVersions, versions] = useDisclosure();
  const [publishing, publish] = useDisclosure();
  const isChanged = text.trim() !== newest?.body;
  const { live, draft } = prompt;
  const next = (newest?.number ?? 0) + 1;
  let line = live ? t("prompts.liveLine", { number: live.number }) : t("prompts.notLiveLine");
  if (isChanged) line += ` ${t("prompts.writingLine", { next })}`;
  if (live && live.id !== draft.id) line += ` ${t("prompts.draftLine", { draft: draft.number })}`;
  return (
    <>
      <PageHead
        title={prompt.name}
        parent={{ to: "/admin/prompts", label: t("prompts.title") }}
        line={line}
        actions={
          <>
            <Button variant="default" leftSection={<IconHistory size={18} stroke={1.7} />} onClick={versions.open}>
              {t("prompts.versions")}
            </Button>
            {live?.id !== draft.id && (
              <Button
                disabled={isChanged}
                title={isChanged ? t("prompts.saveFirst") : undefined}
                onClick={publish.open}
              >
                {t("prompts.makeLive", { number: draft.number })}
              </Button>
            )}
          </>
        }
      />
      <UnsavedGuard when={isChanged} />
      {prompt.usedBy.length > 0 && (
        <p className={classes.usedBy}>
          {t("prompts.usedBy")}{" "}
          {prompt.usedBy.map(({ kind, id: usedId, label }, at) => (
            <span key={usedId}>
              {at > 0 && ", "}
              <Link to={kind === "chatbot" ? `/admin/chatbots/edit/${usedId}` : "/admin/button-prompts"}>{label}</Link>
            </span>
          ))}
        </p>
      )}
      <div className={classes.bench}>
        <div>
          <PromptEditor prompt={prompt} text={text} onChange={setText} isChanged={isChanged} next={next} />
          <SampleValues text={text} purpose={prompt.purpose} userId={userId} onUser={setUserId} />
        </div>
        <div>
          <Playground prompt={prompt} text={text} isChanged={isChanged} userId={userId} />
          <TestQuestions prompt={prompt} userId={userId} />
        </div>
      </div>
      {showsVersions && <VersionsPanel prompt={prompt} onClose={versions.close} onRestored={setText} />}
      {publishing && <LiveDialog prompt={prompt} versionId={draft.id} onClose={publish.close} />}
    </>
  );
}
