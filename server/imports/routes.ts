import type { Mount } from "#server/core/http/http.ts";
import { applyImport, undoImport } from "#server/imports/applying/orders.ts";
import { correctRow, mapColumns } from "#server/imports/checking/corrections.ts";
import { exportRejected, listLeavers, listRows, listStayed } from "#server/imports/rows.ts";
import { createImport, getImport, listImports, removeImport } from "#server/imports/service.ts";
import { canImportPeople, imports } from "#shared/imports/imports.ts";

export function importRoutes(on: Mount) {
  on(imports.list, canImportPeople, (call) => listImports(call, call.query));
  on(imports.create, canImportPeople, (call) => createImport(call, call.body));
  on(imports.get, canImportPeople, (call) => getImport(call, call.params.id));
  on(imports.rows, canImportPeople, (call) => listRows(call, call.params.id, call.query));
  on(imports.map, canImportPeople, (call) => mapColumns(call, call.params.id, call.body));
  on(imports.correct, canImportPeople, (call) => correctRow(call, call.params, call.body));
  on(imports.rejected, canImportPeople, (call) => exportRejected(call, call.params.id));
  on(imports.leavers, canImportPeople, (call) => listLeavers(call, call.params.id, call.query));
  on(imports.apply, canImportPeople, (call) => applyImport(call, call.params.id, call.body));
  on(imports.undo, canImportPeople, (call) => undoImport(call, call.params.id));
  on(imports.stayed, canImportPeople, (call) => listStayed(call, call.params.id, call.query));
  on(imports.remove, canImportPeople, (call) => removeImport(call, call.params.id));
}
