import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { type BotTemplate, botTemplates } from "#web/chatbots/botTemplates.ts";
import classes from "#web/chatbots/chatbots.module.css";
import { CompaniesChoice } from "#web/chatbots/CompaniesChoice.tsx";
import { CourseChoice, DocumentChoice } from "#web/chatbots/choices.tsx";
import { BotMark } from "#web/conversations/BotMark.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";

/** /admin/chatbots/create: creates a chatbot, from a template or empty. */
export function ChatbotCreatePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useApiMutation(chatbots.create, { quiet: true });
  const empty: BotTemplate = {
    key: "empty",
    name: t("chatbots.create.empty"),
    text: t("chatbots.create.emptyText"),
    needs: [],
    settings: botSettings.parse({}),
  };
  const templates = [...botTemplates, empty];
  const [key, setKey] = useState(templates[0]?.key ?? "empty");
  const [name, setName] = useState("");
  const [documentIds, setDocumentIds] = useState<string[]>([]);
  const [courseIds, setCourseIds] = useState<string[]>([]);
  const [companies, setCompanies] = useState({ allCompanies: false, companyIds: [] as string[] });
  const [companiesError, setCompaniesError] = useState<string>();
  const [failure, setFailure] = useState("");
  const nameField = useRef<HTMLInputElement>(null);
  const template = templates.find((one) => one.key === key) ?? empty;
  const asksCompanies = template.settings.access !== "public";

  const submit = async (press: FormEvent) => {
    press.preventDefault();
    if (name.trim() === "") {
      setFailure(t("chatbots.create.enterName"));
      return nameField.current?.focus();
    }
    if (asksCompanies && !companies.allCompanies && companies.companyIds.length === 0)
      return setCompaniesError(t("chatbots.create.chooseCompanies"));
    const { settings, needs } = template;
    const chosen = {
      ...(asksCompanies && companies),
      ...(needs.includes("documents") && { documentIds }),
      ...(needs.includes("courses") && courseIds.length > 0 && { courseIds, access: "course" as const }),
    };
    try {
      const bot = await create.mutateAsync({ body: { name, settings: { ...settings, ...chosen } } });
      await navigate(`/admin/chatbots/edit/${bot.id}`);
    } catch (error) {
      setFailure(issuesOf(error)["name"] ?? messageOf(error));
    }
  };
  return (
    <>
      <PageHead
        parent={{ to: "/admin/chatbots", label: t("chatbots.title") }}
        title={t("chatbots.add")}
        line={t("chatbots.create.line")}
      />
      <form noValidate className={classes.create} onSubmit={(press) => void submit(press)}>
        <Radio.Group label={t("chatbots.create.template")} value={key} onChange={setKey}>
          <div className={classes.templates}>
            {templates.map((one) => (
              <Radio.Card key={one.key} value={one.key} radius="md" className={classes.template} aria-label={one.name}>
                <BotMark color={one.settings.color} />
                <span>
                  <strong>{one.name}</strong>
                  <Text span size="sm" c="dimmed" display="block">
                    {one.text}
                  </Text>
                </span>
                <Radio.Indicator />
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        <Stack gap="md" maw={560}>
          <TextInput
            ref={nameField}
            label={t("chatbots.fields.name")}
            maxLength={120}
            value={name}
            error={failure}
            onChange={(event) => {
              setFailure("");
              setName(event.currentTarget.value);
            }}
          />
          {template.needs.includes("documents") && (
            <DocumentChoice
              label={t("chatbots.create.documents")}
              description={t("chatbots.create.documentsHint")}
              value={documentIds}
              onChange={setDocumentIds}
            />
          )}
          {template.needs.includes("courses") && (
            <CourseChoice
              label={t("chatbots.create.courses")}
              description={t("chatbots.create.coursesHint")}
              value={courseIds}
              onChange={setCourseIds}
            />
          )}
          {asksCompanies && (
            <CompaniesChoice
              value={companies}
              onChange={(choice) => {
                setCompaniesError(undefined);
                setCompanies(choice);
              }}
              error={companiesError}
            />
          )}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t("chatbots.create.submit")}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
