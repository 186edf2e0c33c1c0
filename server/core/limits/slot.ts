import { AsyncLocalStorage } from "node:async_hooks";

const slots = new AsyncLocalStorage<() => void>();

/** Runs the work of a request that has a slot (admission.ts); `leave` gives it back. */
export const inSlot = <T>(leave: () => void, work: () => T): T => slots.run(leave, work);

/** Called before waiting for another server, which may take minutes: others can use the slot meanwhile. */
export const leaveSlot = () => slots.getStore()?.();
