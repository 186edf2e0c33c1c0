import { useForm } from "@mantine/form";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { fieldOfPath, useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { companies, type Company, type CompanyRow } from "#shared/companies/companies.ts";

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
  | "retentionYears"
  | "maskNames"
  | "recordPages"
  | "recordingDays"
  | "pinLogin";
type Options<F extends Field> = {
  company: CompanyRow;
  /** The fields of this form with their labels, in order. */
  labels: Record<F, string>;
  /** Validation in the browser: the error message, or null. */
  checks?: Partial<Record<F, (value: never) => string | null>>;
  show?: (field: F, value: unknown) => ReactNode;
  onSaved?: () => void;
};

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const asText = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? ""));
const trimText = (value: unknown) => (typeof value === "string" ? value.trim() : value);

/**
 * A form for some fields of a company. Only changed fields are sent, with the version they are based on; on a version
 * conflict a dialog shows both sides. Unchanged fields follow updates from the server.
 */
export function useCompanyForm<F extends Field>({ company, labels, checks, show, onSaved }: Options<F>) {
  const { t } = useTranslation();
  const names = Object.keys(labels) as F[];
  const pick = (row: Company) => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Company, F>;
  const [base, setBase] = useState<Company>(company);
  const latestVersion = useRef(company.version);
  /** The current row that the conflict dialog compares with. */
  const theirs = useRef<Company>(company);
  const update = useApiMutation(companies.update, {
    quiet: true,
  });
  const form = useForm<Pick<Company, F>>({ initialValues: pick(company) });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors, { toField: fieldOfPath, fields: names });
  const values = form.getValues();
  const changes = () =>
    Object.fromEntries(
      names
        .filter((name) => !isEqual(trimText(values[name]), base[name]))
        .map((name) => [name, trimText(values[name])]),
    ) as Partial<Pick<Company, F>>;
  const dirty = Object.keys(changes()).length > 0;

  const take = (row: Company) => {
    latestVersion.current = Math.max(latestVersion.current, row.version);
    setBase(row);
    form.setValues(pick(row));
    form.clearErrors();
    setFailure(null);
  };
  /**
   * The row was changed elsewhere. Fields unchanged here follow; if both sides changed the same field, the old version
   * is kept, so that saving leads to a conflict.
   */
  const rebase = (row: Company) => {
    const ownChanges = changes();
    const hasConflict = names.some((name) => name in ownChanges && !isEqual(row[name], base[name]));
    const keptBase = Object.fromEntries(
      names.filter((name) => name in ownChanges).map((name) => [name, hasConflict ? base[name] : row[name]]),
    );
    form.setValues({
      ...pick(row),
      ...(Object.fromEntries(Object.keys(ownChanges).map((name) => [name, values[name as F]])) as Partial<
        Pick<Company, F>
      >),
    });
    setBase({ ...row, ...keptBase, version: hasConflict ? base.version : row.version });
  };
  useEffect(() => {
    if (company.version <= latestVersion.current) return;
    latestVersion.current = company.version;
    rebase(company);
  });

  const send = async (ownChanges: Partial<Company>, version: number) => {
    take(await update.mutateAsync({ params: { id: company.id }, body: { ...ownChanges, version } }));
    toast.done(t("companies.changesSaved"));
    onSaved?.();
  };
  const failed = async (error: unknown, ownChanges: Partial<Company>) => {
    if (isCode(error, "core.conflict")) theirs.current = error.details.current as Company;
    if (!(await conflict.handleError(error, ownChanges))) showError(error);
  };
  const conflict = useConflict<Company>({
    labels,
    onTakeTheirs: take,
    onKeepMine: (ownChanges, version) => {
      form.setValues({ ...pick(theirs.current), ...(ownChanges as Partial<Pick<Company, F>>) });
      setBase(theirs.current);
      return send(ownChanges, version).catch((error: unknown) => failed(error, ownChanges));
    },
    formatValue: (field, value) => show?.(field as F, value) ?? asText(value),
  });
  const save = async () => {
    setFailure(null);
    const errors = names.flatMap((name) => {
      const message = (checks?.[name] as ((value: unknown) => string | null) | undefined)?.(values[name]);
      return message ? [[name, message]] : [];
    });
    form.setErrors(Object.fromEntries(errors) as Record<string, string>);
    const ownChanges = changes() as Partial<Company>;
    if (errors.length === 0) await send(ownChanges, base.version).catch((error: unknown) => failed(error, ownChanges));
  };
  return { form, base, dirty, save, rebase, discard: () => take(base), failure, busy: update.isPending, conflict };
}
