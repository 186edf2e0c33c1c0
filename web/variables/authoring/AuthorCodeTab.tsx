import { Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import {
  type AuthorTool,
  authorTools,
  completeCode,
  createAuthorCode,
  hasOwnVariables,
  suggestName,
} from "#web/variables/authoring/authorCode.ts";
import { CodeBlock } from "#web/variables/authoring/CodeBlock.tsx";
import { type Variable, variables } from "#shared/variables/variables.ts";

type Props = {
  courseId: string;
  /** Web pages can report completion by code; SCORM packages report it by SCORM. */
  isWebPage: boolean;
};

/** Code for authors to copy into their tool, with the keys of the course. */
export function AuthorCodeTab({ courseId, isWebPage }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(variables.list, { query: { courseId, size: 200 } }));
  const uses = (data?.items ?? []).flatMap((variable) =>
    variable.courses.filter((use) => use.courseId === courseId).map((use) => ({ variable, use })),
  );
  const [tool, setTool] = useState<AuthorTool>(isWebPage ? "html" : "storyline");
  const [chosen, setChosen] = useState<string | null>(null);
  const chosenUse = uses.find(({ use }) => use.key === chosen) ?? uses[0];
  const isNarrow = useMediaQuery("(max-width: 47.99em)");
  if (!data) return null;
  if (!chosenUse)
    return (
      <EmptyState
        title={t("variables.code.none")}
        text={t("variables.code.noneText")}
        action={
          <Button component={Link} to="/variables">
            {t("variables.code.open")}
          </Button>
        }
      />
    );
  const tools = authorTools.map((value) => ({ value, label: t(`variables.code.tools.${value}`) }));
  return (
    <Stack gap="lg" maw={820}>
      <Text c="dimmed">{t("variables.code.line")}</Text>
      {isNarrow ? (
        <Select
          label={t("variables.code.tool")}
          allowDeselect={false}
          data={tools}
          value={tool}
          onChange={(next) => setTool(next as AuthorTool)}
        />
      ) : (
        <SegmentedControl
          w="fit-content"
          aria-label={t("variables.code.tool")}
          data={tools}
          value={tool}
          onChange={(next) => setTool(next as AuthorTool)}
        />
      )}
      <VariableCode
        key={`${tool} ${chosenUse.use.key}`}
        tool={tool}
        found={chosenUse}
        choice={
          <Select
            flex="1 1 240px"
            maw={{ base: "100%", sm: 320 }}
            label={t("variables.variable")}
            allowDeselect={false}
            searchable
            data={uses.map(({ variable, use }) => ({ value: use.key, label: `${variable.label} (${use.key})` }))}
            value={chosenUse.use.key}
            onChange={setChosen}
          />
        }
      >
        {isWebPage && tool === "html" && (
          <CodeBlock title={t("variables.code.complete")} hint={t("variables.code.completeHint")} code={completeCode} />
        )}
      </VariableCode>
    </Stack>
  );
}

type CodeProps = {
  tool: AuthorTool;
  found: { variable: Variable; use: Variable["courses"][number] };
  /** The select for the variable. */
  choice: ReactNode;
  children: ReactNode;
};

function VariableCode({ tool, found: { variable, use }, choice, children }: CodeProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(suggestName(tool, use.key));
  const { type, constraints } = variable;
  const code = createAuthorCode(tool, { key: use.key, type, constraints, name });
  const toolName = t(`variables.code.tools.${tool}`);
  return (
    <>
      <Group gap="md" align="start">
        {choice}
        {hasOwnVariables(tool) && (
          <TextInput
            flex="1 1 240px"
            maw={{ base: "100%", sm: 320 }}
            label={t("variables.code.name", { tool: toolName })}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Group>
      {use.access !== "both" && (
        <Text size="sm" c="dimmed">
          {t(use.access === "read" ? "variables.code.onlyReads" : "variables.code.onlyWrites")}
        </Text>
      )}
      <div>
        {use.access !== "read" && (
          <CodeBlock
            title={t("variables.code.set")}
            hint={t(`variables.code.setHints.${tool}`, { name })}
            code={code.set}
          />
        )}
        {use.access !== "write" && (
          <>
            <CodeBlock title={t("variables.code.get")} hint={t(`variables.code.getHints.${tool}`)} code={code.get} />
            <CodeBlock
              title={t("variables.code.change")}
              hint={t(`variables.code.changeHints.${tool}`)}
              code={code.change}
            />
          </>
        )}
        {children}
      </div>
    </>
  );
}
