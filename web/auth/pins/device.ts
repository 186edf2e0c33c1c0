import { z } from "zod";
import { readJson, storage } from "#web/core/storage/storage.ts";

// What a device remembers for the next login with a PIN: the company and whether it is shared. Nothing of a person.

const KEY = "pinDevice";
const device = z.object({ company: z.string().max(140), shared: z.boolean() });
export type Device = z.infer<typeof device>;

export const readDevice = (): Device | null => device.safeParse(readJson(KEY)).data ?? null;
export const rememberDevice = (known: Device) => storage.set(KEY, JSON.stringify(known));
export const forgetDevice = () => storage.remove(KEY);
