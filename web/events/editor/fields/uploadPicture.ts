import { createTask } from "#web/core/upload/uploadTask.ts";
import { protocol } from "#web/core/upload/uploadRuns.ts";
import { newId } from "#web/core/random.ts";

/** Uploads an image of an event and returns its path. Reports progress in percent. */
export const uploadPicture = (file: File, onPercent: (percent: number) => void) =>
  new Promise<string>((resolve, reject) => {
    const fullPath = `events/${newId()}/${file.name.replace(/[^\w.-]+/g, "-").slice(-80)}`;
    createTask({
      file,
      protocol,
      target: { fullPath, contentType: file.type, customMetadata: { purpose: "event_cover" } },
      onChange: ({ state, sent, error }) => {
        if (state === "success") resolve(fullPath);
        else if (state === "error" || state === "canceled") reject(error as Error);
        else onPercent(file.size > 0 ? (sent / file.size) * 100 : 0);
      },
    });
  });
