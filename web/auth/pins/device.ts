import { readJson, storage } from "#web/core/storage/storage.ts";
import { isFlag, isText, readShape } from "#web/core/shape.ts";

// What a device remembers for the next login with a PIN: the company and whether it is shared. Nothing of a person.

const KEY = "pinDevice";
export type Device = { company: string; shared: boolean };

export const readDevice = (): Device | null => readShape<Device>(readJson(KEY), { company: isText, shared: isFlag });
export const rememberDevice = (known: Device) => storage.set(KEY, JSON.stringify(known));
export const forgetDevice = () => storage.remove(KEY);
