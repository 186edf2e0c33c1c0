import type { Mount } from "#server/core/http/http.ts";
import { createField, listFields, removeField, setArchived, updateField } from "#server/fields/definitions.ts";
import { listPersonFields } from "#server/fields/values.ts";
import { canManageFields, canReadOwnFields, fields } from "#shared/fields/fields.ts";

export function fieldRoutes(on: Mount) {
  on(fields.list, canManageFields, (call) => listFields(call, call.query));
  on(fields.create, canManageFields, (call) => createField(call, call.body));
  on(fields.update, canManageFields, (call) => updateField(call, call.params.id, call.body));
  on(fields.archive, canManageFields, (call) => setArchived(call, call.params.id, true));
  on(fields.restore, canManageFields, (call) => setArchived(call, call.params.id, false));
  on(fields.remove, canManageFields, (call) => removeField(call, call.params.id));
  on(fields.ofPerson, canReadOwnFields, (call) => listPersonFields(call, call.params.id));
}
