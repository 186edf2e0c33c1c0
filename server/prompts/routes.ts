import type { Mount } from "#server/core/http/http.ts";
import { listOffered, runButton } from "#server/prompts/buttonRuns.ts";
import { createButton, listButtons, setButtonStatus, updateButton } from "#server/prompts/buttons.ts";
import { readPrompt } from "#server/prompts/promptRows.ts";
import { resolveKeys } from "#server/prompts/rendering.ts";
import { runCase, tryPrompt } from "#server/prompts/running.ts";
import {
  addCase,
  createPrompt,
  listPrompts,
  removeCase,
  restoreVersion,
  saveVersion,
  setLive,
  setPromptStatus,
  updateCase,
  updatePrompt,
} from "#server/prompts/service.ts";
import { buttonPrompts, canManageButtons, canRunButtons } from "#shared/prompts/buttonPrompts.ts";
import { canManagePrompts, prompts } from "#shared/prompts/prompts.ts";

export function promptRoutes(on: Mount) {
  on(prompts.list, canManagePrompts, (call) => listPrompts(call, call.query));
  on(prompts.get, canManagePrompts, (call) => readPrompt(call, call.params.id));
  on(prompts.create, canManagePrompts, (call) => createPrompt(call, call.body));
  on(prompts.update, canManagePrompts, (call) => updatePrompt(call, call.params.id, call.body));
  on(prompts.saveVersion, canManagePrompts, (call) => saveVersion(call, call.params.id, call.body));
  on(prompts.restoreVersion, canManagePrompts, (call) => restoreVersion(call, call.params.id, call.body));
  on(prompts.setLive, canManagePrompts, (call) => setLive(call, call.params.id, call.body));
  on(prompts.setStatus, canManagePrompts, (call) => setPromptStatus(call, call.params.id, call.body.status));
  on(prompts.addCase, canManagePrompts, (call) => addCase(call, call.params.id, call.body));
  on(prompts.updateCase, canManagePrompts, (call) => updateCase(call, call.params.id, call.params.caseId, call.body));
  on(prompts.removeCase, canManagePrompts, (call) => removeCase(call, call.params.id, call.params.caseId));
  on(prompts.runCase, canManagePrompts, (call) => runCase(call, call.params.id, call.params.caseId, call.body));
  on(prompts.resolve, canManagePrompts, async (call) => ({
    keys: await resolveKeys(call, call.body.body, call.body.purpose, call.body),
  }));
  on(prompts.try, canManagePrompts, async (call, { reply }) => {
    // Closing the page cancels the call.
    const stop = new AbortController();
    reply.raw.on("close", () => stop.abort());
    const lines = await tryPrompt(call, call.body, stop.signal);
    return reply.type("application/x-ndjson; charset=utf-8").header("x-accel-buffering", "no").send(lines);
  });
  on(buttonPrompts.list, canManageButtons, (call) => listButtons(call, call.query));
  on(buttonPrompts.create, canManageButtons, (call) => createButton(call, call.body));
  on(buttonPrompts.update, canManageButtons, (call) => updateButton(call, call.params.id, call.body));
  on(buttonPrompts.setStatus, canManageButtons, (call) => setButtonStatus(call, call.params.id, call.body.status));
  on(buttonPrompts.offered, canRunButtons, (call) => listOffered(call, call.params.id));
  on(buttonPrompts.run, canRunButtons, (call) => runButton(call, call.params.id, call.body));
}
