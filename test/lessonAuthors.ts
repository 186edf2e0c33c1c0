import { randomUUID } from "node:crypto";
import * as Y from "yjs";
import { FRAGMENT, nodesToUpdate, readNodes } from "#server/lessons/drafts/yNodes.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import type { OutlineChange } from "#shared/lessons/outline.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

// Courses that authors write, each with a document of their own, for tests

function bodyOf<B>({ status, body, code }: { status: number; body: B; code?: string | undefined }): B {
  if (status >= 400) throw new Error(`${status} ${code}`);
  return body;
}

export function lessonAuthors({ as }: Server, admin: Person) {
  const call = as(admin);
  const change = async (id: string, body: OutlineChange) => bodyOf(await call(drafts.change, { params: { id }, body }));

  /** An author in a lesson: what is written is sent, and what others wrote is pulled. */
  async function authorOf(person: Person, lessonId: string) {
    const doc = new Y.Doc();
    let since = 0;
    const params = { id: lessonId };
    const pull = async () => {
      const { updates, until } = bodyOf(await as(person)(drafts.updates, { params, query: { since } }));
      for (const update of updates) Y.applyUpdate(doc, Buffer.from(update, "base64"));
      since = until;
    };
    const send = async (update: Uint8Array) =>
      bodyOf(
        await as(person)(drafts.write, {
          params,
          body: { key: randomUUID(), update: Buffer.from(update).toString("base64") },
        }),
      );
    await pull();
    /** Changes the document; returns the update, which is not sent yet. */
    const edit = (work: (doc: Y.Doc) => void) => {
      const before = Y.encodeStateVector(doc);
      doc.transact(() => work(doc));
      return Y.encodeStateAsUpdate(doc, before);
    };
    const write = (work: (doc: Y.Doc) => void) => send(edit(work));
    /** Replaces all blocks. */
    const replace = async ({ content = [] }: NodeJson) => {
      const made = new Y.Doc();
      Y.applyUpdate(made, nodesToUpdate({ type: "doc", content }));
      await write(() => {
        const fragment = doc.getXmlFragment(FRAGMENT);
        fragment.delete(0, fragment.length);
        fragment.push(
          made
            .getXmlFragment(FRAGMENT)
            .toArray()
            .map((block) => (block as Y.XmlElement).clone()),
        );
      });
    };
    const nodes = () => readNodes(doc, { depth: 12, nodes: 50_000 });
    return { doc, pull, send, edit, write, replace, nodes, words: () => JSON.stringify(nodes()) };
  }

  /** A course with one lesson of these blocks. */
  async function createCourse(blocks: LessonBlock[]) {
    const draft = bodyOf(await call(drafts.create, { body: { title: "Working at heights", language: "en" } }));
    const [module] = draft.modules;
    const lessonId = module!.lessons[0]!.id;
    await change(draft.id, { kind: "changeLesson", id: lessonId, title: "Lesson" });
    await (await authorOf(admin, lessonId)).replace(documentToNodes({ schema: 1, language: "en", blocks }));
    return { id: draft.id, moduleId: module!.id, lessonId };
  }
  const publish = async (id: string) => bodyOf(await call(drafts.publish, { params: { id } })).number;
  return { createCourse, authorOf, change, publish };
}
