import { useForm } from "@mantine/form";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/api/http.ts";
import { issuesOf } from "#web/core/api/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { companies, type Company, type CompanyRow } from "#shared/companies.ts";

type Field =
  | "name"
  | "timezone"
  | "contactName"
  | "contactEmail"
  | "learnerLimit"
  | "notes"
  | "color"
  | "welcome"
  | "codeEnabled"
  | "codeExpiresAt"
  | "codeMaxUses"
  | "allowedDomains"
  | "erasurePolicy"
  | "retentionYears";
type Options<F extends Field> = {
  company: CompanyRow;
  /** The fields of this form with the words for them, in order. */
  labels: Record<F, string>;
  /** Why a value cannot be, before anything is sent. */
  checks?: Partial<Record<F, (value: never) => string | null>>;
  show?: (field: F, value: unknown) => ReactNode;
  onSaved?: () => void;
};

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const trimmed = (value: unknown) => (typeof value === "string" ? value.trim() : value);

/**
 * A form over some fields of a company. Only what was changed is sent, with the version the form began with; when
 * somebody else was faster, the dialog asks. Without changes of its own the form follows what the server says.
 */
export function useCompanyForm<F extends Field>({ company, labels, checks, show, onSaved }: Options<F>) {
  const { t } = useTranslation();
  const names = Object.keys(labels) as F[];
  const pick = (row: Company) => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Company, F>;
  const [base, setBase] = useState<Company>(company);
  const seen = useRef(company.version);
  /** The row that the conflict dialog compares with. */
  const theirs = useRef<Company>(company);
  const [failure, setFailure] = useState<unknown>(null);
  const update = useApiMutation(companies.update, {
    alsoInvalidate: ["learners", "dashboard", "brand", "enrolments", "reports"],
    quiet: true,
  });
  const form = useForm<Pick<Company, F>>({ initialValues: pick(company) });
  const values = form.getValues();
  const changes = () =>
    Object.fromEntries(
      names.filter((name) => !same(trimmed(values[name]), base[name])).map((name) => [name, trimmed(values[name])]),
    ) as Partial<Pick<Company, F>>;
  const dirty = Object.keys(changes()).length > 0;

  const take = (row: Company) => {
    seen.current = Math.max(seen.current, row.version);
    setBase(row);
    form.setValues(pick(row));
    form.clearErrors();
    setFailure(null);
  };
  /**
   * The row moved on, by a colleague or another part of this page. Fields that were not touched here follow; where both
   * changed one field the old version stays, so that saving asks.
   */
  const rebase = (row: Company) => {
    const mine = changes();
    const clash = names.some((name) => name in mine && !same(row[name], base[name]));
    const kept = Object.fromEntries(
      names.filter((name) => name in mine).map((name) => [name, clash ? base[name] : row[name]]),
    );
    form.setValues({
      ...pick(row),
      ...(Object.fromEntries(Object.keys(mine).map((name) => [name, values[name as F]])) as Partial<Pick<Company, F>>),
    });
    setBase({ ...row, ...kept, version: clash ? base.version : row.version });
  };
  useEffect(() => {
    if (company.version <= seen.current) return;
    seen.current = company.version;
    rebase(company);
  });

  const send = async (mine: Partial<Company>, version: number) => {
    take(await update.mutateAsync({ params: { id: company.id }, body: { ...mine, version } }));
    toast.done(t("companies.changesSaved"));
    onSaved?.();
  };
  const failed = async (error: unknown, mine: Partial<Company>) => {
    if (isCode(error, "core.conflict")) theirs.current = error.details.current as Company;
    if (await conflict.handleError(error, mine)) return;
    // A faulty domain comes as `allowedDomains.0`: the field is the first word.
    const issues = Object.fromEntries(
      Object.entries(issuesOf(error)).map(([path, words]) => [path.split(".")[0] ?? path, words]),
    );
    form.setErrors(issues);
    setFailure(Object.keys(issues).some((name) => names.includes(name as F)) ? null : error);
  };
  const conflict = useConflict<Company>({
    labels,
    onTakeTheirs: take,
    onKeepMine: (mine, version) => {
      form.setValues({ ...pick(theirs.current), ...(mine as Partial<Pick<Company, F>>) });
      setBase(theirs.current);
      return send(mine, version).catch((error: unknown) => failed(error, mine));
    },
    formatValue: (field, value) =>
      show?.(field as F, value) ??
      (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value)),
  });
  const save = async () => {
    setFailure(null);
    const faults = names.flatMap((name) => {
      const fault = (checks?.[name] as ((value: unknown) => string | null) | undefined)?.(values[name]);
      return fault ? [[name, fault]] : [];
    });
    form.setErrors(Object.fromEntries(faults) as Record<string, string>);
    const mine = changes() as Partial<Company>;
    if (faults.length === 0) await send(mine, base.version).catch((error: unknown) => failed(error, mine));
  };
  return { form, base, dirty, save, rebase, discard: () => take(base), failure, busy: update.isPending, conflict };
}
