import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { fieldOfPath, useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { sso, type SsoConnection } from "#shared/auth/sso.ts";

const fields = ["kind", "issuer", "clientId", "entryPoint", "certificate", "domains", "enforced", "enabled"] as const;
type Values = Pick<SsoConnection, (typeof fields)[number]> & { clientSecret: string };

const empty: Values = {
  kind: "oidc",
  issuer: "",
  clientId: "",
  clientSecret: "",
  entryPoint: "",
  certificate: "",
  domains: [],
  enforced: false,
  enabled: true,
};
const valuesOf = (row: SsoConnection | null): Values =>
  row
    ? {
        ...(Object.fromEntries(fields.map((field) => [field, row[field]])) as Omit<Values, "clientSecret">),
        clientSecret: "",
      }
    : empty;

/** Form state of a company's single sign-on, with errors by field and a dialog for version conflicts. */
export function useSsoForm(companyId: string, connection: SsoConnection | null) {
  const { t } = useTranslation();
  const [base, setBase] = useState(connection);
  const send = useApiMutation(sso.save, { quiet: true });
  const form = useForm<Values>({ initialValues: valuesOf(connection) });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors, { toField: fieldOfPath });
  const dirty = JSON.stringify(form.getValues()) !== JSON.stringify(valuesOf(base));

  const take = (row: SsoConnection | null) => {
    setBase(row);
    form.setValues(valuesOf(row));
    form.clearErrors();
    setFailure(null);
  };
  const sendValues = async (ownValues: Values, version: number) => {
    const { clientSecret, ...rest } = ownValues;
    take(
      await send.mutateAsync({
        params: { id: companyId },
        body: { ...rest, ...(clientSecret && { clientSecret }), version },
      }),
    );
    toast.done(t("companies.sso.saved"));
  };
  const failed = async (error: unknown, ownValues: Values) => {
    if (!(await conflict.handleError(error, ownValues))) showError(error);
  };
  const conflict = useConflict<SsoConnection>({
    labels: Object.fromEntries(fields.map((field) => [field, t(`companies.sso.${field}`)])),
    onTakeTheirs: take,
    onKeepMine: (ownValues, version) =>
      sendValues({ ...form.getValues(), ...ownValues }, version).catch((error: unknown) =>
        failed(error, form.getValues()),
      ),
    formatValue: (_, value) => {
      if (typeof value === "boolean") return t(value ? "core.yes" : "core.no");
      return Array.isArray(value) ? value.join(", ") : String(value ?? "");
    },
  });
  const save = async () => {
    setFailure(null);
    const ownValues = form.getValues();
    await sendValues(ownValues, base?.version ?? 0).catch((error: unknown) => failed(error, ownValues));
  };
  return { form, base, dirty, save, discard: () => take(base), failure, busy: send.isPending, conflict, take };
}
