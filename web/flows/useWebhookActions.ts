import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Webhook, webhooks } from "#shared/webhooks/webhooks.ts";

/** Actions on a webhook; `showSecret` is called with a new secret, which cannot be read again. */
export function useWebhookActions(showSecret: (name: string, secret: string) => void) {
  const { t } = useTranslation();
  const test = useApiMutation(webhooks.test);
  const retry = useApiMutation(webhooks.retry);
  const update = useApiMutation(webhooks.update);
  const rotate = useApiMutation(webhooks.rotateSecret, { quiet: true });
  const remove = useApiMutation(webhooks.remove, { quiet: true });
  return {
    test: ({ id }: Webhook) =>
      void test.mutateAsync({ params: { id } }).then(
        ({ ok, status, answer, ms }) =>
          ok
            ? toast.done(t("flows.hooks.tested", { status, ms }))
            : toast.failed(t("flows.hooks.testFailed", { answer: answer || status })),
        () => {},
      ),
    retry: ({ id }: Webhook) =>
      void retry.mutateAsync({ params: { id } }).then(
        () => toast.done(t("flows.hooks.retried")),
        () => {},
      ),
    toggle: ({ id, version, status }: Webhook) =>
      void update
        .mutateAsync({ params: { id }, body: { version, status: status === "active" ? "off" : "active" } })
        .catch(() => {}),
    rotate: ({ id, name }: Webhook) =>
      confirm({
        title: t("flows.hooks.rotateTitle", { name }),
        text: t("flows.hooks.rotateText"),
        confirmLabel: t("flows.hooks.rotateVerb"),
        cancelLabel: t("flows.hooks.keep"),
        onConfirm: async () => showSecret(name, (await rotate.mutateAsync({ params: { id } })).secret),
      }),
    remove: ({ id, name }: Webhook) =>
      confirm({
        title: t("flows.hooks.removeTitle", { name }),
        text: t("flows.hooks.removeText"),
        confirmLabel: t("flows.hooks.remove"),
        cancelLabel: t("flows.hooks.keep"),
        danger: true,
        onConfirm: async () => {
          await remove.mutateAsync({ params: { id } });
          toast.done(t("flows.hooks.removed"));
        },
      }),
  };
}
