import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { renewCourseTexts } from "#server/documents/courseText/courseTexts.ts";
import { processDocuments } from "#server/documents/pipeline/jobs.ts";
import { makeVectors, requestVectors } from "#server/documents/retrieval/makeVectors.ts";
import { documentRoutes } from "#server/documents/routes.ts";

const withDocument = "as long as the document";

export const documents = defineDomain({
  name: "documents",
  uses: ["connectors", "courses", "lessons"],
  routes: [documentRoutes],
  jobs: [processDocuments, makeVectors, renewCourseTexts],
  followsEmbedder: async (tx) => void (await requestVectors(tx)),
  tables: {
    documents: {
      growth: rows(1, "document"),
      kept: untilRemoved,
      authors: { owner_id: "Documents that you own", updated_by: "Documents you last changed" },
      notPersonal: { "the document": "title folder tags source url language status" },
    },
    document_companies: { growth: rows(1, "document"), kept: withDocument },
    document_courses: { growth: rows(1, "document"), kept: withDocument },
    document_versions: {
      growth: rows(3, "document"),
      kept: withDocument,
      authors: { created_by: "Versions of documents you added" },
      notPersonal: { "the file and its state": "name kind state code language" },
    },
    course_texts: { growth: rows(1, "document"), kept: withDocument },
    document_texts: {
      growth: rows(3, "document"),
      kept: withDocument,
      notPersonal: { "published text of the document": "text blocks" },
    },
    passages: {
      growth: rows(150, "document"),
      kept: withDocument,
      notPersonal: { "published text of the document": "heading text stems" },
    },
    passage_terms: {
      growth: rows(9000, "document"),
      kept: withDocument,
      notPersonal: { "a word of the document": "term" },
    },
    passage_vectors: {
      growth: rows(150, "document"),
      kept: withDocument,
      notPersonal: { "numbers made from text of the document": "connector_id model vector" },
    },
    test_questions: {
      growth: rows(5, "document"),
      kept: withDocument,
      authors: { created_by: "Test questions you saved" },
      notPersonal: { "a question about the document": "question expected facts" },
    },
    test_results: {
      growth: rows(50, "document"),
      kept: withDocument,
      notPersonal: { "what the document answers": "missing" },
    },
  },
});
