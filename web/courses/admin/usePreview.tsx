import { NavLink, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import { call } from "#web/core/api/api.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { companies, type CompanyRow } from "#shared/companies/companies.ts";

/** Maximum number of companies in the dialog. */
const MAX_COMPANIES = 50;
type CompanyChoice = { courseId: string; title: string; choices: CompanyRow[] };

/** Opens the preview of a course with the branding of a company; shows a dialog if there are several companies. */
export function usePreview() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [choice, setChoice] = useState<CompanyChoice | null>(null);
  const [opened, setOpened] = useState(false);

  const open = async ({ id, title }: { id: string; title: string }) => {
    try {
      const listActive = async (courseId?: string) =>
        (
          await call(companies.list, {
            query: { status: "active", size: MAX_COMPANIES, ...(courseId && { courseId }) },
          })
        ).items;
      const assigned = await listActive(id);
      const choices = assigned.length > 0 ? assigned : await listActive();
      const first = choices[0];
      if (!first) return toast.failed(t("courses.preview.noCompany"));
      if (choices.length === 1) return void navigate(launchPath({ companyId: first.id, courseId: id }));
      setChoice({ courseId: id, title, choices });
      setOpened(true);
    } catch (error) {
      toast.failed(error);
    }
  };
  const dialog = choice && (
    <Dialog
      opened={opened}
      onClose={() => setOpened(false)}
      title={t("courses.preview.title", { title: choice.title })}
      size={440}
    >
      <Text c="dimmed" mb="sm">
        {t("courses.preview.text")}
      </Text>
      {choice.choices.map((company) => (
        <NavLink
          key={company.id}
          component={Link}
          to={launchPath({ companyId: company.id, courseId: choice.courseId })}
          label={company.name}
          leftSection={<CompanyMark {...company} />}
          style={{ borderRadius: 7 }}
        />
      ))}
    </Dialog>
  );
  return { open, dialog };
}
