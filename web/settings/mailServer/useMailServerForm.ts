import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import type { MailServerInput, StoredMailServer } from "#shared/mails/mailServer.ts";

const address = z.email();
type Values = Omit<MailServerInput, "password" | "port"> & { password: string; port: number | string };

export const valuesOf = (server: StoredMailServer | null): Values => ({
  host: server?.host ?? "",
  port: server?.port ?? 587,
  security: server?.security ?? "starttls",
  username: server?.username ?? "",
  password: "",
  senderName: server?.senderName ?? "",
  senderAddress: server?.senderAddress ?? "",
});

/** The server keeps its password for the same account at the same server. */
export const isSameAccount = ({ host, port, username }: Values, server: StoredMailServer) =>
  host.trim().toLowerCase() === server.host && Number(port) === server.port && username.trim() === server.username;

export function toInput({ password, ...values }: Values): MailServerInput {
  return { ...values, port: Number(values.port), ...(password && values.username.trim() && { password }) };
}

export function useMailServerForm(server: StoredMailServer | null) {
  const { t } = useTranslation();
  return useForm<Values>({
    initialValues: valuesOf(server),
    validate: {
      host: (host) => (host.trim() ? null : t("mails.server.enterHost")),
      port: (port) => (Number.isInteger(Number(port)) && Number(port) > 0 ? null : t("mails.server.enterPort")),
      senderAddress: (sender) => (address.safeParse(sender.trim()).success ? null : t("mails.server.enterSender")),
    },
  });
}
