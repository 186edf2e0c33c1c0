import type { Mount } from "#server/core/http/http.ts";
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  retryNow,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "#server/webhooks/service.ts";
import { canChangeWebhooks, canManageWebhooks, webhooks } from "#shared/webhooks/webhooks.ts";

export function webhookRoutes(on: Mount) {
  on(webhooks.list, canManageWebhooks, (call) => listWebhooks(call, call.query));
  on(webhooks.create, canChangeWebhooks, (call) => createWebhook(call, call.body));
  on(webhooks.update, canChangeWebhooks, (call) => updateWebhook(call, call.params.id, call.body));
  on(webhooks.rotateSecret, canChangeWebhooks, (call) => rotateSecret(call, call.params.id));
  on(webhooks.test, canManageWebhooks, (call) => testWebhook(call, call.params.id));
  on(webhooks.remove, canChangeWebhooks, (call) => removeWebhook(call, call.params.id));
  on(webhooks.deliveries, canManageWebhooks, (call) => listDeliveries(call, call.params.id, call.query));
  on(webhooks.retry, canManageWebhooks, (call) => retryNow(call, call.params.id));
}
