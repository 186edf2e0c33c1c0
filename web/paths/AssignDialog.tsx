import { Checkbox, MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { LearnerPicker } from "#web/courses/admin/LearnerPicker.tsx";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import classes from "#web/paths/paths.module.css";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { groups } from "#shared/groups/groups.ts";
import { type AssignPreview, type PathDetail, type PathPeople, paths } from "#shared/paths/paths.ts";

const nobody: PathPeople = { companyIds: [], groupIds: [], userIds: [] };

/** Puts companies, groups and single learners on a path, after a preview. */
export function AssignDialog({ path, onClose }: { path: PathDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const companies = useCompanies();
  const assign = useApiMutation(paths.assign, { quiet: true });
  const [people, setPeople] = useState<PathPeople>(nobody);
  const [company, setCompany] = useState<CompanyRow | null>(null);
  const [notify, setNotify] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isUnchosen, setUnchosen] = useState(false);
  const { data: offered } = useQuery({
    ...pagedQueryFor(groups.list, { query: { companyId: company?.id ?? "", size: 200 } }),
    enabled: company !== null,
  });
  const [asked] = useDebouncedValue(people, 250);
  const isEmpty = Object.values(people).every((ids) => ids.length === 0);
  const params = { id: path.id };
  const { data: preview, error } = useQuery({
    ...pagedQueryFor(paths.previewAssign, { params, body: asked }),
    enabled: !isEmpty,
    retry: false,
  });
  const choose = (changed: Partial<PathPeople>) => {
    setFailure(null);
    setUnchosen(false);
    setPeople((before) => ({ ...before, ...changed }));
  };
  const save = async () => {
    if (isEmpty) return setUnchosen(true);
    try {
      const { added } = await assign.mutateAsync({ params, body: { ...people, notify } });
      toast.done(t("paths.assigning.done", { title: path.title, count: added }));
      onClose();
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  const fresh = !isEmpty && preview ? preview.fresh : 0;
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("paths.assigning.title", { title: path.title })}
      submitLabel={fresh > 0 ? t("paths.assigning.submitCount", { count: fresh }) : t("paths.assigning.submit")}
      onSubmit={save}
      busy={assign.isPending}
      failure={failure}
    >
      <MultiSelect
        label={t("paths.assigning.companies")}
        description={t("paths.assigning.companiesHint")}
        data={companies.map(({ id, name }) => ({ value: id, label: name }))}
        value={people.companyIds}
        onChange={(companyIds) => choose({ companyIds })}
        searchable
        maxDropdownHeight={240}
        nothingFoundMessage={t("web.table.noMatches")}
        data-autofocus
      />
      <div className={classes.pair}>
        <CompanySelect
          label={t("paths.assigning.groupCompany")}
          value={company}
          onChange={(next) => {
            setCompany(next);
            choose({ groupIds: [] });
          }}
        />
        <MultiSelect
          label={t("paths.assigning.groups")}
          data={(offered?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={people.groupIds}
          onChange={(groupIds) => choose({ groupIds })}
          disabled={company === null}
          searchable
          nothingFoundMessage={t("web.table.noMatches")}
        />
      </div>
      <LearnerPicker value={people.userIds} onChange={(userIds) => choose({ userIds })} />
      <Checkbox
        label={t("paths.assigning.notify")}
        checked={notify}
        onChange={(event) => setNotify(event.currentTarget.checked)}
      />
      <div aria-live="polite">
        {!isEmpty && preview && <Summary preview={preview} />}
        {isUnchosen && (
          <p role="alert" className={classes.refusal}>
            {t("paths.assigning.nobody")}
          </p>
        )}
        {error && !isEmpty && <p className={classes.refusal}>{messageOf(error)}</p>}
      </div>
    </FormDialog>
  );
}

function Summary({ preview }: { preview: AssignPreview }) {
  const { t } = useTranslation();
  const { fresh, has, suspended, names } = preview;
  const shown = names.join(", ");
  const others = fresh - names.length;
  return (
    <div className={classes.ledger}>
      <ul>
        <li>
          <strong>{t("paths.assigning.fresh", { count: fresh })}</strong>
          {fresh > 0 && `: ${others > 0 ? t("paths.assigning.more", { names: shown, count: others }) : shown}`}
        </li>
        {suspended > 0 && <li>{t("paths.assigning.suspended", { count: suspended })}</li>}
        {has > 0 && <li>{t("paths.assigning.has", { count: has })}</li>}
      </ul>
    </div>
  );
}
