import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { LESSON_DRAFT_DATABASE } from "#shared/consent/consent.ts";

/** An update of a lesson that the server has not acknowledged. */
export type Unsent = { id: string; lessonId: string; userId: string; update: Uint8Array };

interface Schema extends DBSchema {
  updates: { key: string; value: Unsent; indexes: { lesson: [string, string] } };
}
let opening: Promise<IDBPDatabase<Schema>> | null = null;
const open = () =>
  (opening ??= openDB<Schema>(LESSON_DRAFT_DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore("updates", { keyPath: "id" }).createIndex("lesson", ["lessonId", "userId"]);
    },
    terminated: () => (opening = null),
  }));

// Where the browser blocks storage, updates live as long as the page.

export const keepUnsent = (unsent: Unsent) =>
  open()
    .then((db) => db.put("updates", unsent))
    .catch(() => {});
export const listUnsent = (lessonId: string, userId: string): Promise<Unsent[]> =>
  open()
    .then((db) => db.getAllFromIndex("updates", "lesson", [lessonId, userId]))
    .catch(() => []);
export const dropUnsent = (ids: string[]) =>
  open()
    .then(async (db) => {
      const tx = db.transaction("updates", "readwrite");
      await Promise.all(ids.map((id) => tx.store.delete(id)));
      await tx.done;
    })
    .catch(() => {});
