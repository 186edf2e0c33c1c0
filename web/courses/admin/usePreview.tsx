import { Modal, NavLink, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { launchPath } from "#web/courses/launchPath.ts";
import { call } from "#web/core/api/api.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { companies, type CompanyRow } from "#shared/companies.ts";

/** Most companies to choose from in the dialog. */
const MOST = 50;
type Asked = { courseId: string; title: string; choices: CompanyRow[] };

/** Opens a course as a learner of one company sees it; asks which company when there are several. */
export function usePreview() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState(false);

  const open = async ({ id, title }: { id: string; title: string }) => {
    try {
      const list = async (courseId?: string) =>
        (await call(companies.list, { query: { status: "active", size: MOST, ...(courseId && { courseId }) } })).items;
      const own = await list(id);
      const choices = own.length > 0 ? own : await list();
      const only = choices[0];
      if (!only) return toast.failed(t("courses.preview.noCompany"));
      if (choices.length === 1) return void navigate(launchPath({ companyId: only.id, courseId: id }));
      setAsked({ courseId: id, title, choices });
      setOpened(true);
    } catch (error) {
      toast.failed(error);
    }
  };
  const dialog = asked && (
    <Modal
      opened={opened}
      onClose={() => setOpened(false)}
      title={t("courses.preview.title", { title: asked.title })}
      size={440}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <Text c="dimmed" mb="sm">
        {t("courses.preview.text")}
      </Text>
      {asked.choices.map((company) => (
        <NavLink
          key={company.id}
          component={Link}
          to={launchPath({ companyId: company.id, courseId: asked.courseId })}
          label={company.name}
          leftSection={<CompanyMark {...company} />}
          style={{ borderRadius: 7 }}
        />
      ))}
    </Modal>
  );
  return { open, dialog };
}
