import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { screens } from "#web/screens.ts";

const tabs = [
  { path: "/admin/prompts", label: "prompts.tabs.prompts" },
  { path: "/admin/button-prompts", label: "prompts.tabs.buttons" },
] as const;

/** Tabs that link to the pages of prompts. */
export function PromptTabs({ current }: { current: (typeof tabs)[number]["path"] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const shown = tabs.filter(({ path }) => screens.some((screen) => screen.path === path && "page" in screen));
  if (shown.length < 2) return null;
  return (
    <Tabs value={current} onChange={(next) => next && void navigate(next)}>
      <Tabs.List mb="lg">
        {shown.map(({ path, label }) => (
          <Tabs.Tab key={path} value={path}>
            {t(label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
