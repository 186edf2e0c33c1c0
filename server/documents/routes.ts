import type { Mount } from "#server/core/http/http.ts";
import { askDocument, listPassages, readText } from "#server/documents/asking.ts";
import { addCourseText } from "#server/documents/courseText/courseTexts.ts";
import { getDocument } from "#server/documents/documentRows.ts";
import {
  listDocuments,
  listFolders,
  removeDocument,
  setDocumentStatus,
  updateDocument,
} from "#server/documents/service.ts";
import { addTestQuestion, listTestQuestions, removeTestQuestion } from "#server/documents/testing.ts";
import { addText, addUpload, addWebPage, indexAgain, publishVersion } from "#server/documents/versions.ts";
import { canManageDocuments, documents } from "#shared/documents/documents.ts";

export function documentRoutes(on: Mount) {
  on(documents.list, canManageDocuments, (call) => listDocuments(call, call.query));
  on(documents.folders, canManageDocuments, (call) => listFolders(call));
  on(documents.get, canManageDocuments, (call) => getDocument(call, call.params.id));
  on(documents.create, canManageDocuments, (call) => addUpload(call, call.body));
  on(documents.addPage, canManageDocuments, (call) => addWebPage(call, call.body));
  on(documents.addText, canManageDocuments, (call) => addText(call, call.body));
  on(documents.addCourse, canManageDocuments, (call) => addCourseText(call, call.body));
  on(documents.update, canManageDocuments, (call) => updateDocument(call, call.params.id, call.body));
  on(documents.archive, canManageDocuments, (call) => setDocumentStatus(call, call.params.id, "archived"));
  on(documents.restore, canManageDocuments, (call) => setDocumentStatus(call, call.params.id, "active"));
  on(documents.remove, canManageDocuments, (call) => removeDocument(call, call.params.id));
  on(documents.indexAgain, canManageDocuments, (call) => indexAgain(call, call.params.id, call.params.number));
  on(documents.publish, canManageDocuments, (call) => publishVersion(call, call.params.id, call.params.number));
  on(documents.passages, canManageDocuments, (call) => listPassages(call, call.params.id, call.query));
  on(documents.text, canManageDocuments, (call) => readText(call, call.params.id, call.params.number));
  on(documents.ask, canManageDocuments, (call) => askDocument(call, call.params.id, call.body));
  on(documents.testQuestions, canManageDocuments, (call) => listTestQuestions(call, call.params.id));
  on(documents.addTestQuestion, canManageDocuments, (call) => addTestQuestion(call, call.params.id, call.body));
  on(documents.removeTestQuestion, canManageDocuments, (call) => removeTestQuestion(call, call.params.id));
}
